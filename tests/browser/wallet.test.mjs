// The module for chain tables, as it was built, without a browser: it imports nothing, and plays against computers through a
// node that it does not trust.

import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { answer, load } from '../../crates/server/assets/seat.js';
import { ask, awaitNode, freePorts, startChain, startLiar } from './chains.mjs';
import { Person, wasm } from './wallets.mjs';

let port, stopChain, at;
before(async () => {
  port = await freePorts();
  stopChain = startChain(port);
  at = `127.0.0.1:${port + 1}`;
  await awaitNode(port);
});
after(async () => {
  await Person.leave();
  await stopChain?.();
});

test('the module imports nothing, exports a few functions, and has no path of the machine that built it', async (t) => {
  const bytes = await wasm(), module = await WebAssembly.compile(bytes);
  assert.deepEqual(WebAssembly.Module.imports(module), []);
  const functions = WebAssembly.Module.exports(module).filter(({ kind }) => kind === 'function');
  assert.deepEqual(functions.map(({ name }) => name).sort(), ['call', 'input', 'output']);
  t.diagnostic(`module: ${bytes.length} bytes, gzip ${gzipSync(bytes, { level: 9 }).length}`);
  const text = bytes.toString('latin1'), here = new URL('../..', import.meta.url).pathname;
  for (const place of [`${homedir()}/`, here, '/home', '/usr/', '.cargo']) assert.ok(!text.includes(place), place);
});

test('a newcomer gets coins, plays a hand to its end with a reload in the middle, and takes everything home', { timeout: 180_000 }, async (t) => {
  const ada = await Person.come();
  await ada.sitDown(at);
  assert.equal(ada.kept.log.length, 1, 'the key for cards is stored');

  // Plays by calling, is loaded again once they have cards, and sees how a hand that they were in ended.
  let reloaded = false, mine = 0, called = -1;
  for (;;) {
    await ada.until((told) => told.page?.parts);
    const { height } = ada, cards = ada.desk.match(/data-slot=/g)?.length ?? 0;
    const asked = ada.desk.includes('id="key-c"');
    if (cards === 2 && !reloaded) {
      reloaded = true;
      const held = (desk) => [desk.match(/data-deal="(\d+)"/)[1], ...desk.match(/aria-label="[^"]* of [^"]*"/g)];
      const before = held(ada.desk);
      const again = ada.until((told) => told.page && ada.desk.includes('data-slot') && ada.desk);
      await ada.reload();
      ada.want({ open: 1 });
      ada.want({ node: { at, chain: null, trust: null } });
      const after = await again;
      // Unless the hand is over by then, they are the same cards.
      if (held(after)[0] === before[0]) assert.deepEqual(held(after), before);
      t.diagnostic(`before and after the reload: ${before.join(' ')} / ${held(after).join(' ')}`);
      continue;
    }
    if (asked && called !== height) {
      called = height;
      mine += 1;
      ada.press({ press: { key: 'c', height } });
    }
    if (mine && ada.parts.get('felt')?.includes('id="ending"')) break;
  }
  const gone = ada.until((told) => told.page?.said?.includes('You left the table') && told.page.said);
  ada.press({ command: { stand: {} } });
  const leaves = setInterval(() => {
    if (ada.desk.includes('id="key-f"')) ada.press({ press: { key: 'f', height: ada.height } });
  }, 200);
  t.diagnostic(await gone.finally(() => clearInterval(leaves)));
  const home = ada.until((told) => told.coins);
  ada.want('tables');
  // A hand of calls costs at most the thousand chips, and little for fees.
  assert.ok(await home > 980_000);
  const { address } = answer(ada.module, 'key');
  assert.ok((await ask(port, 'account', { address })).coins > 980_000, 'the node says the same');
  await ada.seat.leave();
});

test('a node that lies is told so in words, and nothing it says is shown', { timeout: 60_000 }, async () => {
  const liar = await startLiar(port, (method, result) => {
    if (method !== 'entries') return result;
    // It makes everybody rich.
    result.entries.forEach((entry) => { if (entry.value) entry.value = entry.value.replace(/..$/, (end) => (end === '00' ? '01' : '00')); });
    return result;
  });
  const ada = await Person.come();
  const caught = ada.until((told) => told.trouble?.lie && told.trouble.text);
  ada.want({ node: { at: liar.at, chain: null, trust: null } });
  assert.match(await caught, /does not prove what it says/);
  assert.ok(!ada.told.some((told) => told.list), 'nothing is shown');
  const german = ada.until((told) => told.trouble?.text?.includes('beweist nicht'));
  ada.want({ draw: 'de' });
  await german;

  // An honest node of the same chain is believed; one of another chain is not, if the link names the chain.
  const fine = ada.until((told) => told.list);
  ada.want({ node: { at, chain: (await ask(port, 'status')).chain, trust: null } });
  await fine;
  const other = ada.until((told) => told.trouble?.lie && told.trouble.text);
  ada.want({ node: { at, chain: '0'.repeat(64), trust: null } });
  assert.match(await other, /nicht zu 000000000000/);
  await ada.seat.leave();
  await liar.stop();
});

test('nonsense is refused', async () => {
  const module = await load(await wasm());
  assert.throws(() => answer(module, { whose: 'abc' }), /64 hexadecimal digits/);
  assert.throws(() => answer(module, 'key'), /no wallet yet/);
  assert.match(answer(module, { whose: '07'.repeat(32) }).address, /^deal1/);
  const person = await Person.come({ key: '07'.repeat(32) });
  const place = person.until((told) => told.trouble?.text);
  person.want({ node: { at: 'a b', chain: null, trust: null } });
  assert.match(await place, /not the address of a node/);
  const failed = person.until((told) => told.failed);
  person.want({ nobody: 1 });
  assert.match(await failed, /nobody can want this/);
});

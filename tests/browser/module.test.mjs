// The module for private tables in browsers, as it was built, without a browser: it imports nothing, and it
// plays every game with other modules and a terminal program, through a server that sees no card.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { answer } from '../../crates/server/assets/seat.js';
import { program, startServer } from './harness.mjs';
import { newModule, newTable, Player, terminal, wasm } from './seats.mjs';

let server, folder;
before(async () => {
  server = await startServer();
  folder = await mkdtemp(path.join(tmpdir(), 'fairdeal-seats-'));
});
after(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const GAMES = {
  holdem: [['hand_limit', '10']],
  blackjack: [['rounds', '1'], ['decks', '1'], ['reshuffle_below', '26']],
  romme: [['mode', 'rounds'], ['rounds', '1']],
  bigc: [['hand_size', '5']],
  ongdu: [['max_rounds', '2']],
  blackout: [['max', '2']],
};

for (const game of Object.keys(GAMES)) {
  test(`the module for ${game} imports nothing and exports a few functions`, async () => {
    const module = await WebAssembly.compile(await wasm(game));
    assert.deepEqual(WebAssembly.Module.imports(module), []);
    const functions = WebAssembly.Module.exports(module).filter(({ kind }) => kind === 'function');
    assert.deepEqual(functions.map(({ name }) => name).sort(), ['call', 'input', 'output']);
  });

  test(`the module for ${game} does not grow unnoticed`, async (t) => {
    const bytes = await wasm(game);
    const [gzip, brotli] = [gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
    t.diagnostic(`${game}: ${bytes.length} bytes, gzip ${gzip}, brotli ${brotli}`);
    // See docs/browser.md.
    assert.ok(bytes.length <= 1_200_000, `${bytes.length} bytes`);
    assert.ok(gzip <= 470_000, `${gzip} bytes with gzip`);
    assert.ok(brotli <= 360_000, `${brotli} bytes with brotli`);
  });

  test(`the module for ${game} has no path of the machine that built it`, async () => {
    const text = (await wasm(game)).toString('latin1');
    const here = new URL('../..', import.meta.url).pathname;
    for (const place of [homedir(), here, '/home', '/usr/', '.cargo']) {
      assert.ok(!text.includes(place), place);
    }
  });

  test(`the server sends the module for ${game} that was built, compressed`, async () => {
    const page = await fetch(server.url);
    const version = (await page.text()).match(/\/assets\/([0-9a-f]+)\//)[1];
    const address = `${server.url}/assets/${version}/private-${game}.wasm`;
    const got = await fetch(address);
    assert.equal(got.headers.get('content-type'), 'application/wasm');
    assert.equal(got.headers.get('content-encoding'), 'gzip');
    assert.ok(Buffer.from(await got.arrayBuffer()).equals(await wasm(game)));
    // Brotli only if it was there when the module was built.
    const best = existsSync(new URL(`../../crates/server/built/private-${game}.wasm.br`, import.meta.url)) ? 'br' : 'gzip';
    for (const [accepted, encoding] of [['br, gzip', best], ['identity', null]]) {
      const other = await fetch(address, { headers: { 'accept-encoding': accepted } });
      assert.equal(other.headers.get('content-encoding'), encoding);
      assert.ok(Buffer.from(await other.arrayBuffer()).equals(await wasm(game)));
    }
    assert.match(page.headers.get('content-security-policy'), /script-src 'self' 'wasm-unsafe-eval';/);
  });
}

/** A server between visitors and the one at `url`; `change(path, body)` makes something else of what is loaded. */
async function between(url, change) {
  const server = createServer(async (request, response) => {
    const answer = await fetch(url + request.url, { headers: { 'accept-encoding': 'identity' } });
    const headers = ['content-security-policy', 'content-type'].map((name) => [name, answer.headers.get(name) ?? '']);
    response.writeHead(answer.status, Object.fromEntries(headers));
    response.end(change(request.url, Buffer.from(await answer.arrayBuffer())));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** `fairdeal verify --page`, while servers of this process can answer. */
const verified = (url) =>
  new Promise((resolve) => {
    execFile(program(), ['verify', '--page', url], (error, out) => resolve({ code: error?.code ?? 0, out }));
  });

test('somebody else can check that a server sends the scripts and the module of this program', async () => {
  const honest = await verified(server.url);
  assert.equal(honest.code, 0, honest.out);
  for (const game of Object.keys(GAMES)) assert.match(honest.out, new RegExp(`^same {5}private-${game}\\.wasm `, 'm'));
  assert.match(honest.out, /^same {5}wallet\.wasm /m);
  for (const page of ['/', '/private/new/romme', '/chain/play', '/solo', '/solo/holdem']) assert.match(honest.out, new RegExp(`^fine {5}${page}$`, 'm'));
  // The page of a table, with its key, which is nobody's business.
  const { ticket } = await newTable(server.url, { game: 'romme', seats: 2 });
  const table = await verified(ticket);
  assert.equal(table.code, 0, table.out);
  assert.match(table.out, new RegExp(`^fine {5}${new URL(ticket).pathname}$`, 'm'));
  assert.ok(!table.out.includes(new URL(ticket).hash.slice(1)));
  const lies = {
    'differs  private-romme.wasm': (url, body) => (url.endsWith('private-romme.wasm') ? Buffer.concat([body, Buffer.from([0])]) : body),
    'differs  worker.js': (url, body) => (url.endsWith('worker.js') ? Buffer.from(`${body}//`) : body),
    '/: the page has a script in it': (url, body) => (url === '/' ? Buffer.from(`${body}<script>1</script>`) : body),
    // A script at an address like those of files, and one that only people get who make a table of one game.
    'the page loads "/assets/0123456789ab/evil.js"': (url, body) => (url === '/' ? Buffer.from(`${body}<script type="module" src="/assets/0123456789ab/evil.js"></script>`) : body),
    '/private/new/romme: the page cannot be read': (url, body) => (url === '/private/new/romme' ? Buffer.from(`${body}<SCRIPT SRC=/evil.js></SCRIPT>`) : body),
    'differs  /solo/offline.js': (url, body) => (url === '/solo/offline.js' ? Buffer.from(`${body}//`) : body),
  };
  for (const [expected, change] of Object.entries(lies)) {
    const proxy = await between(server.url, change);
    const { code, out } = await verified(proxy.url);
    proxy.close();
    assert.equal(code, 1, out);
    assert.ok(out.includes(expected), out);
  }
});

/** Two modules, a terminal and a spectator come to a new table. */
async function company(game, settings, during = async () => {}) {
  const { ticket, key } = await newTable(server.url, { game, seats: 3 });
  const ada = await Player.come(game, { ticket, name: 'Ada', offer: { game, settings, seats: 3 } });
  // The first person there is the host.
  await ada.until(({ lobby }) => lobby?.is_host);
  const bob = await Player.come(game, { ticket, name: 'Bob' });
  const watching = await Player.come(game, { ticket, watch: true });
  const data = path.join(folder, `${game}-${Math.random()}`);
  const carl = terminal(ticket, 'Carl', data);
  try {
    await during({ ada, bob, watching, carl });
    const [a, b, c] = await Promise.all([ada.over(), bob.over(), watching.over()]);
    const { code, err, lines } = await carl.gone;
    assert.equal(code, 0, `${err}\n${lines.join('\n')}`);
    const result = await readFile(lines.find((line) => line.startsWith('result ')).slice(7), 'utf8');
    for (const over of [a, b, c]) {
      assert.deepEqual([over.complete, over.unsigned], [true, []]);
      assert.equal(over.result, result, 'everybody has the same signed result');
    }
    for (const player of [ada, bob, watching]) {
      assert.equal(player.memory.secret.length, 0, 'the secret is erased');
      assert.ok(!player.told.some(({ seen }) => seen?.fault || seen?.late));
    }
    // What the terminal has written, the module verifies, and the other way round.
    const log = await readFile(lines.find((line) => line.startsWith('log ')).slice(4), 'utf8');
    const report = answer(await newModule(game), { verify: log });
    assert.ok(report.clean && report.played.result === result, JSON.stringify(report));
    // The module for another game says whose can.
    const other = Object.keys(GAMES).find((one) => one !== game);
    assert.deepEqual(answer(await newModule(other), { verify: log }), { other_game: game });
    const { record } = ada.seat.ask('record');
    assert.ok(log.startsWith(record) || record.startsWith(log));
    return { ada, bob, watching, key };
  } finally {
    carl.kill();
    for (const player of [ada, bob, watching]) await player.seat.leave();
  }
}

for (const [game, settings] of Object.entries(GAMES)) {
  test(`two modules and a terminal play ${game} to a result that all have signed`, () => company(game, settings));
}

test('a module that is loaded again plays on: during shuffling, dealing and choosing', async (t) => {
  let reloads = 0;
  await company('blackout', [['max', '4']], async ({ ada, bob }) => {
    for (const duty of ['keys', 'shuffle', 'shares', 'act', 'shuffle', 'act']) {
      const player = reloads % 2 ? ada : bob;
      player.told = player.told.filter(({ match }) => !match);
      const there = ({ match, over }) => over || match?.waits.some((wait) => wait.duty === duty);
      const told = await player.until(there);
      if (told.over) break;
      await player.reload();
      reloads++;
    }
  });
  t.diagnostic(`${reloads} reloads`);
  assert.ok(reloads >= 3);
});

// A frame with a shuffle in it is longer than this, and no other is.
const SHUFFLE = 8_000;

test('figures: shuffling and checking 52 cards', async (t) => {
  const { ada, bob } = await company('holdem', GAMES.holdem);
  const calls = [...ada.took, ...bob.took];
  const median = (all) => all.map(({ took }) => took).sort((a, b) => a - b)[Math.floor(all.length / 2)]?.toFixed(1);
  const shuffled = median(calls.filter(({ came, sent }) => came < SHUFFLE && sent >= SHUFFLE));
  const checked = median(calls.filter(({ came, sent }) => came >= SHUFFLE && sent < SHUFFLE));
  t.diagnostic(`module: 52 cards shuffled and proven in ${shuffled} ms, checked in ${checked} ms; memory ${ada.module.memory} bytes`);
});

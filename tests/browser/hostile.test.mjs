// Private tables with a server that lies, or a player who cheats: the page says in words what happened and who is to blame.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { axe, startBrowser, startServer } from './harness.mjs';
import { between, come, create, person } from './tables.mjs';

let server, browser, ada, link;
before(async () => {
  server = await startServer({ args: ['--tables-per-minute', '0'] });
  browser = await startBrowser();
  ada = await person(browser, server.url);
  link = await create(ada.page, server.url, { seats: 6 });
  const bob = await person(browser, server.url);
  await come(bob.page, link, 'Bob');
  await bob.close();
});
after(async () => {
  await ada?.close();
  await browser?.close();
  await server?.stop();
});

/** Entries of the log have this number as frames; see docs/peer.md. */
const ENTRY = 3;
/** A public key that is not the server's. */
const KEY = `[${[...Buffer.from('79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'hex')]}]`;
const NO_PLAYER = { en: 'no player is to blame', de: 'kein Spieler ist schuld' };

/** What a server can do with entries, as a script in front of the worker. */
const LIES = {
  'changes an entry': [`hears = (pass) => (bytes) => { if (bytes[0] === ${ENTRY}) bytes[bytes.length - 1] ^= 1; pass(bytes); };`, /does not belong there/, /gehört/],
  'drops an entry': [`let n = 0; hears = (pass) => (bytes) => { if (bytes[0] !== ${ENTRY} || n++ !== 0) pass(bytes); };`, /left out/, /ausgelassen/],
  'swaps two entries': [`let held; hears = (pass) => (bytes) => { if (bytes[0] !== ${ENTRY}) return pass(bytes); if (!held) held = bytes; else { pass(bytes); pass(held); } };`, /another order/, /umgestellt/],
  'repeats an entry': [`hears = (pass) => (bytes) => { pass(bytes); if (bytes[0] === ${ENTRY}) pass(bytes); };`, /repeated/, /wiederholt/],
  'has another key': [`hears = (pass) => (bytes) => { if (bytes[0] === 2) bytes.set(${KEY}, 1); pass(bytes); };`, /not the server you were invited to/, /nicht der Server/],
  'tells two stories': [`hears = (pass) => (bytes) => pass(bytes[0] === 2 ? Uint8Array.of(8, 3) : bytes);`, /another story of this table/, /etwas anderes/],
};

for (const [lie, [script, english, german]] of Object.entries(LIES)) {
  test(`a server that ${lie} is named, and no player`, async () => {
    const locale = lie === 'tells two stories' ? 'de-DE' : 'en-US', words = locale === 'de-DE' ? german : english;
    const bob = await person(browser, server.url, { locale });
    await between(bob.context, script);
    await bob.page.goto(link);
    await bob.page.locator('#come-name').fill('Cleo');
    await bob.page.locator('[data-part=enter] button.main').click();
    await bob.page.locator('.failed .what', { hasText: words }).waitFor();
    await bob.page.locator('.failed .blame', { hasText: locale === 'de-DE' ? NO_PLAYER.de : NO_PLAYER.en }).waitFor();
    await axe(bob.page);
    const said = await bob.page.locator('#private').innerText();
    assert.ok(!/undefined|\[object/.test(said), said);
    await bob.close();
  });
}

test('a host who plays another game than the server was told plays it with everybody', async () => {
  const eve = await person(browser, server.url), bob = await person(browser, server.url, { screen: 'phone' });
  const modules = new Set();
  for (const { context } of [eve, bob]) context.on('request', (request) => modules.add(/private-\w+\.wasm/.exec(request.url())?.[0]));
  await eve.page.route('**/api/v1/private', (route) => {
    const told = route.request().postDataJSON();
    assert.equal(told.game, 'holdem');
    return route.continue({ postData: JSON.stringify({ ...told, game: 'ongdu' }) });
  });
  const other = await create(eve.page, server.url, { name: 'Eve' });
  await come(bob.page, other, 'Bob');
  await eve.page.locator('.people li', { hasText: 'Bob' }).waitFor();
  await eve.page.locator('[data-want=start]').click();
  await bob.page.locator('[data-want=accept]').click();
  for (const { page } of [eve, bob]) {
    await page.locator('#hand .card').nth(1).waitFor({ timeout: 60_000 });
    assert.equal(await page.locator('#hand .card').count(), 2, "two cards each: it is Hold'em");
  }
  assert.deepEqual([...modules].filter(Boolean).sort(), ['private-holdem.wasm', 'private-ongdu.wasm']);
  // What is stored is of the right game, too.
  await bob.page.reload();
  await bob.page.locator('#hand .card').nth(1).waitFor({ timeout: 60_000 });
  for (const one of [eve, bob]) await one.close();
});

test('a server that talks nonsense is not taken for one that is gone', async () => {
  const bob = await person(browser, server.url);
  await between(bob.context, `hears = (pass) => (bytes) => pass(bytes[0] === ${ENTRY} ? Uint8Array.of(99, 9, 9) : bytes);`);
  await bob.page.goto(link);
  await bob.page.locator('#come-name').fill('Cleo');
  await bob.page.locator('[data-part=enter] button.main').click();
  await bob.page.locator('.online', { hasText: 'What answers here makes no sense' }).waitFor();
  await bob.close();
});

/** A player who lies, at the table of a link: see crates/fairdeal/tests/server/private/liars/guest.rs. */
function liar(link, lie) {
  assert.ok(process.env.FAIRDEAL_LIAR, 'FAIRDEAL_LIAR names the tests of the server; `cargo xtask browser` sets it');
  const child = spawn(process.env.FAIRDEAL_LIAR, ['--ignored', 'a_liar_plays_holdem'], { env: { ...process.env, FAIRDEAL_TICKET: link, FAIRDEAL_LIE: lie }, stdio: 'ignore' });
  return () => child.kill('SIGKILL');
}

const CHEATS = {
  shuffle: ['en-US', "Mallory's device shuffled wrongly", 'Nobody else is to blame'],
  share: ['de-DE', 'Das Gerät von Mallory wollte Karten falsch aufdecken', 'Niemand sonst ist schuld'],
};

for (const [lie, [locale, words, nobody]] of Object.entries(CHEATS)) {
  test(`a player who lies about a ${lie} is named on every page, and nobody else`, async () => {
    const eva = await person(browser, server.url, { locale }), bob = await person(browser, server.url, { screen: 'phone', locale });
    const own = await create(eva.page, server.url, { name: 'Eva', seats: 3 });
    await come(bob.page, own, 'Bob');
    const stop = liar(own, lie);
    try {
      await eva.page.locator('.people li', { hasText: 'Mallory' }).waitFor();
      await eva.page.locator('[data-want=start]:enabled').click();
      await bob.page.locator('[data-want=accept]').click();
      for (const { page } of [eva, bob]) {
        await page.locator('#alarm', { hasText: words }).waitFor({ timeout: 60_000 });
        await page.locator('#alarm', { hasText: nobody }).waitFor();
        await axe(page);
      }
    } finally {
      stop();
    }
    await eva.close();
    await bob.close();
  });
}

test('there are words in both languages for everything that the module can say', async () => {
  const rust = await (await import('node:fs/promises')).readFile(new URL('../../crates/browser/src/trouble.rs', import.meta.url), 'utf8');
  const section = (from, to) => [...rust.slice(rust.indexOf(from), to ? rust.indexOf(to) : undefined).matchAll(/=> "([a-z_]+)"/g)].map(([, word]) => word);
  const { page } = ada;
  const { troubles, faults } = await page.evaluate(async () => {
    const script = document.querySelector('script[src*="private.js"]').src.replace('private.js', 'trouble.js');
    const { KNOWN } = await import(script);
    return KNOWN;
  });
  for (const word of section('fn ended', 'fn not_next')) assert.ok(troubles.includes(word) || ['busy', 'not_a_hub'].includes(word), word);
  for (const word of section('fn broken', 'fn fault')) assert.ok(troubles.includes(word), word);
  const kinds = section('fn fault', 'fn end(');
  assert.ok(kinds.length >= 9, `${kinds}`);
  for (const word of kinds) assert.ok(faults.includes(word), word);
});

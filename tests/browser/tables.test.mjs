// Every game, played to its end by two people in two browsers and by computers, with somebody looking on.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axe, open, screenshot, startBrowser, startServer } from './harness.mjs';
import { Person, SHORT, playToTheEnd } from './people.mjs';

let server;
let browser;

before(async () => {
  server = await startServer({ args: ['--requests-per-second', '0', '--messages-per-second', '0', '--tables-per-minute', '0'] });
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Who plays how, in each game: every way of looking and of playing has its turn. */
const WAYS = {
  holdem: [{ locale: 'en-US' }, { screen: 'phone', locale: 'de-DE', colorScheme: 'dark' }],
  blackjack: [{ locale: 'de-DE', colorScheme: 'dark' }, { screen: 'phone', locale: 'en-US' }],
  romme: [{ locale: 'en-US' }, { screen: 'phone', locale: 'de-DE' }],
  bigc: [{ locale: 'en-US', colorScheme: 'dark' }, { screen: 'phone', locale: 'de-DE' }],
  ongdu: [{ locale: 'de-DE' }, { screen: 'phone', locale: 'en-US', colorScheme: 'dark' }],
  blackout: [{ locale: 'en-US', keys: true }, { screen: 'phone', locale: 'de-DE' }],
};

for (const game of Object.keys(SHORT)) {
  test(`${game} is played to its end`, { timeout: 240_000 }, async () => {
    const [one, two] = await Promise.all(WAYS[game].map((way) => Person.enter(browser, server, way)));
    const { address, code } = await one.make(game);
    await two.join(code);
    await axe(one.page);
    await one.start();

    const watcher = await open(browser, server.url, { locale: 'en-US' });
    const seen = listen(watcher);
    await watcher.page.goto(address);

    await playToTheEnd([one, two], async (round) => {
      if (round === 3) {
        await axe(one.page);
        await axe(two.page);
        await noSidewaysScroll(two.page);
        await screenshot(one.page, `${game}-desktop`);
        await screenshot(two.page, `${game}-phone`);
      }
      // In the middle of it: a reload, and a connection that is lost.
      if (round === 4) await two.page.reload();
      if (round === 5) {
        one.allow(/ERR_INTERNET_DISCONNECTED/);
        await one.context.setOffline(true);
        await one.page.waitForTimeout(100);
        await one.context.setOffline(false);
      }
    });
    assert.ok(one.acts + two.acts > 2, 'they have really played');
    await screenshot(one.page, `${game}-end`);
    await axe(one.page);

    await verified(one.page);
    await spectatorSawNothingHidden(watcher, address, seen);
    for (const person of [one, two, watcher]) await person.close();
  });
}

/** Everything that a page was sent: bodies of answers and frames of sockets. */
function listen({ context }) {
  const seen = [];
  context.on('response', async (response) => {
    if (/html|json/.test(response.headers()['content-type'] ?? '')) seen.push(await response.text().catch(() => ''));
  });
  context.on('page', (page) => page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => seen.push(String(payload)))));
  context.pages().forEach((page) => page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => seen.push(String(payload)))));
  return seen;
}

/** Every card whose face the spectator was sent is one that everybody has seen by the record. */
async function spectatorSawNothingHidden(watcher, address, seen) {
  const record = await watcher.page.evaluate(async (url) => (await fetch(url)).text(), `${address}/record`);
  assert.ok(!record.includes('"private"'), 'the record of a spectator has no hands');
  const open = new Set();
  for (const line of record.trim().split('\n')) {
    const [body] = Object.values(JSON.parse(line));
    for (const slot of Object.keys(body.open ?? {})) open.add(slot);
  }
  let faces = 0;
  for (const text of seen) {
    const html = text.startsWith('{') ? (JSON.parse(text).parts?.parts ?? []).join('') : text;
    for (const [, slot, label] of html.matchAll(/data-slot="([\d:]+)"[^>]*aria-label="([^"]*)"/g)) {
      if (/closed card/.test(label)) continue;
      faces += 1;
      assert.ok(open.has(slot), `the spectator was sent ${label} in ${slot}, which nobody has shown`);
    }
  }
  assert.ok(seen.length > 2, 'the spectator was sent something');
  return faces;
}

async function noSidewaysScroll(page) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(over <= 1, `the page is ${over} pixels too wide`);
}

/** The page checks the record and finds nothing wrong. */
async function verified(page) {
  await page.locator('#ending [data-verify]').click();
  const dialog = page.locator('#dialog[open]');
  await dialog.locator('ul.checks li').first().waitFor();
  assert.match(await dialog.locator('h2').textContent(), /Everything that can be checked is right|Alles, was sich prüfen lässt, stimmt/);
  assert.equal(await dialog.locator('li.bad').count(), 0);
  assert.ok((await dialog.locator('li.good').count()) > 0);
  await dialog.locator('button').click();
}

test('the first page is small and asks no other host for anything', async () => {
  const guest = await open(browser, server.url);
  const bodies = [];
  guest.page.on('response', (response) => bodies.push(response.body().then((body) => body.length, () => 0)));
  await guest.page.goto(server.url, { waitUntil: 'networkidle' });
  const bytes = (await Promise.all(bodies)).reduce((sum, length) => sum + length, 0);
  await axe(guest.page);
  await screenshot(guest.page, 'lobby-desktop');
  assert.ok(bytes > 10_000 && bytes < 150_000, `${bytes} bytes`);
  console.log(`the lobby is ${bytes} bytes`);
  await guest.close();
  const phone = await open(browser, server.url, { screen: 'phone', colorScheme: 'dark', locale: 'de-DE' });
  await phone.page.goto(server.url);
  await noSidewaysScroll(phone.page);
  await screenshot(phone.page, 'lobby-phone');
  await phone.close();
});

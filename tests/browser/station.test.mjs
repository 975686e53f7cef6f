// The pages of a station: leaderboards on a large screen and on a phone, in both languages, empty and filled.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { axe, open, program, screenshot, startBrowser, startServer } from './harness.mjs';
import { noSidewaysScroll } from './people.mjs';

const WAYS = [
  { screen: 'desktop', locale: 'en-US' },
  { screen: 'desktop', locale: 'de-DE', colorScheme: 'dark' },
  { screen: 'phone', locale: 'en-US', colorScheme: 'dark' },
  { screen: 'phone', locale: 'de-DE' },
];
const RESULT = new URL('../../fuzz/corpus/results/bigc.txt', import.meta.url);

let data;
let server;
let browser;

before(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'fairdeal-'));
  execFileSync(program(), ['station', 'init', '--data', data]);
  [server, browser] = await Promise.all([startServer({ data, args: ['--station'] }), startBrowser()]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
  await rm(data, { recursive: true, force: true });
});

/** Looks at these addresses in every way; `see` gets the page of each. */
async function everywhere(paths, name, see) {
  for (const way of WAYS) {
    const guest = await open(browser, server.url, way);
    for (const address of paths) {
      await guest.page.goto(server.url + address);
      await guest.page.locator('h1').waitFor();
      await axe(guest.page);
      await noSidewaysScroll(guest.page);
      await screenshot(guest.page, `station-${name}${address.replaceAll('/', '-')}-${way.screen}-${way.locale.slice(0, 2)}`);
      await see(guest.page, address, way.locale.startsWith('de'));
    }
    await guest.close();
  }
}

test('a station without results says so, and leads back to its games', { timeout: 60_000 }, async () => {
  await everywhere(['/station', '/station/poker'], 'empty', async (page, address, german) => {
    await page.getByText(german ? 'Noch keine Ergebnisse.' : 'No results yet.').waitFor();
  });
  const guest = await open(browser, server.url, WAYS[0]);
  await guest.page.goto(server.url);
  await guest.page.locator('section[aria-labelledby="station"] a').click();
  await guest.page.waitForURL(`${server.url}/station`);
  await guest.close();
});

test('results that were sent are shown, and a list of players decides who is ranked', { timeout: 90_000 }, async () => {
  const sent = await fetch(`${server.url}/api/v1/results`, { method: 'POST', body: await readFile(RESULT) });
  assert.equal(sent.status, 201, await sent.text());
  const shown = await open(browser, server.url, WAYS[0]);
  await until(shown.page, '/station', '.board', 1);
  await everywhere(['/station', '/station/bigc'], 'filled', async (page, address, german) => {
    assert.equal(await page.locator('main table tbody tr').count(), address === '/station' ? 3 : 4);
    assert.match(await page.locator('tbody tr').first().textContent(), german ? /\d,\d\s%/ : /\d\.\d%/);
    if (address === '/station') await page.getByText(german ? 'niemand prüft' : 'nobody checks').waitFor();
  });
  // The way from the first page to a board and to its signed file.
  await shown.page.goto(`${server.url}/station`);
  await shown.page.locator('.board h2 a').first().click();
  const file = shown.page.getByRole('link', { name: 'Signed file' });
  const text = await (await shown.page.request.get(new URL(await file.getAttribute('href'), server.url).href)).text();
  assert.match(text, /^# LEADERBOARD: X3/);
  // Nobody in these matches is on the list.
  await writeFile(path.join(data, 'station-players.txt'), '# nobody yet\n');
  await until(shown.page, '/station', '.board', 0);
  await shown.page.getByText('Only players whom this station knows').waitFor();
  await axe(shown.page);
  await shown.close();
});

/** Opens a page again until it has so many of these. */
async function until(page, address, selector, count) {
  for (const late = Date.now() + 30_000; ; ) {
    await page.goto(server.url + address);
    if ((await page.locator(selector).count()) === count) return;
    assert.ok(Date.now() < late, `${selector} on ${address}: not ${count}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

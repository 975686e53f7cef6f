// The pages other than tables: they are accessible and small, and the lobby is live.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axe, open, screenshot } from './harness.mjs';
import { Person, noSidewaysScroll, playToTheEnd } from './people.mjs';
import { browser, server } from './shared.mjs';

test('the first page is small and uses no other host', async () => {
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

test('every page is accessible, on a large screen and on a phone', { timeout: 120_000 }, async () => {
  const ways = [{ locale: 'en-US' }, { screen: 'phone', locale: 'de-DE', colorScheme: 'dark' }];
  const [one, two] = await Promise.all(ways.map((way) => Person.enter(browser, server, way)));
  const { address, code } = await one.make('blackout', { players: 2, settings: { start: 1, max: 1, end: 1 } });
  await two.join(code);
  await one.start();
  await playToTheEnd([one, two]);
  for (const { page } of [one, two]) {
    for (const path of ['/new', '/new/holdem', '/new/blackout', '/private/new', '/private/new/romme', '/private/knock', '/me', '/history', `${new URL(address).pathname}/replay`]) {
      await page.goto(server.url + path);
      await page.locator('h1').first().waitFor();
      await axe(page);
      await noSidewaysScroll(page);
    }
  }
  for (const person of [one, two]) await person.close();
});

test('the lobby updates live, and one click takes a seat', { timeout: 60_000 }, async () => {
  const [guest, host] = await Promise.all([0, 1].map(() => Person.enter(browser, server, { locale: 'en-US' })));
  await guest.page.goto(server.url);
  const rows = guest.page.locator('section[aria-labelledby="open"] .rows > li');
  assert.equal(await rows.count(), 0);
  await host.make('ongdu', { players: 2, listed: true });
  await rows.first().waitFor();
  await axe(guest.page);
  await screenshot(guest.page, 'lobby-live');
  await rows.first().getByRole('button', { name: 'Sit down' }).click();
  await guest.page.waitForURL(host.table);
  await guest.page.locator('.chair', { hasText: '· you' }).waitFor();
  await host.page.locator('button.start').waitFor();
  for (const person of [guest, host]) await person.close();
});

test('a guest sees the settings of a table, and only seated players can chat', { timeout: 60_000 }, async () => {
  const [host, guest] = await Promise.all([0, 1].map(() => Person.enter(browser, server, { locale: 'en-US' })));
  const { address } = await host.make('holdem', { players: 2, settings: { starting_chips: 500, ante: 5 } });
  await guest.page.goto(address);
  const term = (text) => guest.page.locator('.terms div', { hasText: text }).locator('dd');
  assert.equal(await term('Chips each player starts with').textContent(), '500');
  assert.equal(await term(/ante/i).first().textContent(), '5');
  assert.equal(await guest.page.locator('#say').isVisible(), false);
  await guest.page.getByRole('button', { name: 'Sit down' }).click();
  await guest.page.locator('#say').waitFor();
  await host.page.goto(server.url);
  await host.page.locator('section[aria-labelledby="mine"]', { hasText: 'ready to start' }).waitFor();
  for (const person of [host, guest]) await person.close();
});

test('saving a profile is confirmed', async () => {
  const guest = await Person.enter(browser, server, { locale: 'de-DE' });
  await guest.page.goto(`${server.url}/me`);
  await guest.page.locator('#name').fill('Käthe');
  await guest.page.getByRole('button', { name: 'Speichern' }).click();
  await guest.page.getByText('Gespeichert.').waitFor();
  assert.equal(await guest.page.locator('#name').inputValue(), 'Käthe');
  await guest.close();
});

test('one click starts a game against computers', { timeout: 60_000 }, async () => {
  const guest = await Person.enter(browser, server, { locale: 'en-US' });
  await guest.page.goto(server.url);
  await guest.page.getByRole('button', { name: 'Play now: Blackout' }).click();
  await guest.page.locator('.player').first().waitFor();
  await guest.page.locator('#hand .card').first().waitFor();
  await guest.close();
});

test('everybody sees who has the table open', { timeout: 60_000 }, async () => {
  const [host, guest] = await Promise.all([0, 1].map(() => Person.enter(browser, server, { locale: 'en-US' })));
  const { code } = await host.make('ongdu', { players: 2 });
  await guest.join(code);
  await host.page.locator('button.start').waitFor();
  assert.equal(await host.page.getByText('not here').count(), 0);
  await guest.page.goto(server.url);
  await host.page.locator('.chair', { hasText: 'not here' }).waitFor();
  await guest.page.goto(host.table);
  await host.page.locator('.chair', { hasText: 'not here' }).waitFor({ state: 'detached' });
  for (const person of [host, guest]) await person.close();
});

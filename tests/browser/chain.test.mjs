// The lobby lists the tables of a poker chain, and tells players when it is their turn there. Nothing depends on it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { answer } from '../../crates/server/assets/seat.js';
import { ask, freePorts, startChain } from './chains.mjs';
import { axe, open, startBrowser, startServer } from './harness.mjs';
import { noSidewaysScroll } from './people.mjs';
import { Person } from './wallets.mjs';

let port, stopChain, server, browser;

before(async () => {
  port = await freePorts();
  stopChain = startChain(port);
  server = await startServer({ args: ['--chain', `127.0.0.1:${port + 1}`] });
  browser = await startBrowser();
});

after(async () => {
  await Person.leave();
  await browser?.close();
  await server?.stop();
  await stopChain?.();
});

test('the lobby lists a chain, its page says whose turn it is, and both survive a chain that goes away', { timeout: 180_000 }, async () => {
  const ada = await open(browser, server.url, { locale: 'en-US' });
  const { page } = ada;
  await page.goto(server.url);
  const row = page.locator('#chain-1');
  await row.filter({ hasText: '3 of 9 seats taken · in progress' }).waitFor({ timeout: 90_000 });
  assert.match(await row.textContent(), /first table \(1\).*blinds 10\/20/);
  await axe(page);

  // Somebody else's address does as well: it is public, and proves nothing.
  await page.getByRole('link', { name: 'How to join' }).click();
  await page.locator('#chain .rows').filter({ hasText: 'hand' }).waitFor();
  assert.match(await page.locator('pre').textContent(), new RegExp(`fairdeal chain sit 1 --node 127\\.0\\.0\\.1:${port + 1}`));
  const { chain } = await ask(port, 'status');
  assert.ok((await page.locator('#how ~ p code').textContent()) === chain, 'the chain is named as programs name it');
  const bert = await Person.come(), { address } = answer(bert.module, 'key');
  await bert.sitDown(`127.0.0.1:${port + 1}`);
  await page.locator('#address').fill(address);
  await page.locator('#alert button', { hasText: 'Remember' }).click();
  await page.waitForURL(/address=deal1/);
  await page.locator('#table-1 code', { hasText: 'fairdeal chain play 1' }).waitFor();

  // A computer's turn may be over before the page hears of it. This player takes their time, and is told of every turn.
  const titled = (turn) => page.waitForFunction((turn) => document.title.startsWith('● Your turn – Poker on a chain') === turn, turn, { timeout: 60_000 });
  await titled(true);
  await page.locator('#table-1', { hasText: 'Your turn' }).waitFor();
  bert.press({ press: { key: 'f', height: bert.height } });
  await titled(false);
  await axe(page);

  // The browser remembers it.
  await page.goto(`${server.url}/chain`);
  await page.waitForFunction((known) => document.getElementById('address').value === known, address);
  await page.locator('#table-1 code', { hasText: 'fairdeal chain play 1' }).waitFor();

  // What is not an address is called so.
  await page.goto(`${server.url}/chain?address=%3Cb%3Enonsense`);
  await page.locator('#address-wrong', { hasText: 'This is not an address' }).waitFor();
  assert.equal(await page.locator('#address').inputValue(), '<b>nonsense');

  // The chain goes away, and another one comes.
  await page.goto(`${server.url}/chain`);
  await page.locator('#chain .rows').waitFor();
  await bert.seat.leave();
  await stopChain();
  await page.locator('#chain [role=status]', { hasText: 'No node of the chain can be reached right now' }).waitFor({ timeout: 60_000 });
  stopChain = startChain(port);
  await page.locator('#table-1', { hasText: 'hand' }).waitFor({ timeout: 90_000 });
  await ada.close();
});

test('on a phone, and in German', { timeout: 60_000 }, async () => {
  const bert = await open(browser, server.url, { screen: 'phone', locale: 'de-DE' });
  await bert.page.goto(`${server.url}/chain`);
  await bert.page.getByRole('heading', { name: 'So spielst du mit' }).waitFor();
  await bert.page.locator('#table-1', { hasText: 'von 9 Plätzen besetzt' }).waitFor({ timeout: 60_000 });
  await noSidewaysScroll(bert.page);
  await axe(bert.page);
  await bert.close();
});

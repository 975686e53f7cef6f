// Chain tables in real browsers: a wallet that is made here, a hand played by pressing buttons against computers on a real
// chain, and nodes that go away, talk nonsense or lie.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { ask, awaitNode, freePorts, startChain, startLiar, startNonsense } from './chains.mjs';
import { axe, open, screenshot, startBrowser, startServer } from './harness.mjs';
import { noSidewaysScroll } from './people.mjs';

let port, stopChain, tap, server, browser;
/** What every browser and the server ask the node. */
const told = [];
/** What the node says in place of the truth. */
let lie = (_, result) => result;
const tapped = (own) => startLiar(port, (method, result) => lie(method, result), { hear: (text) => told.push(text), own });
const seen = process.env.FAIRDEAL_SCREENSHOTS ? screenshot : async () => {};

before(async () => {
  port = await freePorts();
  stopChain = startChain(port);
  await awaitNode(port);
  tap = await tapped(0);
  server = await startServer({ args: ['--chain', tap.at] });
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  await tap?.stop();
  await stopChain?.();
});

/** Everything that a person's browser asks the server, to look for secrets in. */
function listen({ context }) {
  const asked = [];
  context.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''} ${JSON.stringify(request.headers())}`));
  return asked;
}

/** Somebody with a new wallet, who sees the tables. */
async function newcomer(options) {
  const person = await open(browser, server.url, options);
  await person.page.goto(`${server.url}/chain/play`);
  await person.page.locator('[data-begin]').click();
  await person.page.locator('#table-1').waitFor({ timeout: 60_000 });
  return person;
}

/** Checks or calls whenever it is this person's turn, until `done` says so. */
async function play(page, done, key = 'c') {
  const late = Date.now() + 90_000;
  while (!(await done())) {
    assert.ok(Date.now() < late, `it does not go on:\n${await page.locator('body').innerText()}`);
    const button = page.locator(`#desk.asked #key-${key}`);
    if (await button.count()) await button.click({ timeout: 1000 }).catch(() => {});
    const sure = page.locator('#confirm[open] .grave');
    if (await sure.count()) await sure.click({ timeout: 1000 }).catch(() => {});
    await page.waitForTimeout(100);
  }
}

const cards = async (page) => ({
  deal: await page.locator('#desk').getAttribute('data-deal'),
  held: await page.locator('#hand .card').evaluateAll((all) => all.map((card) => card.ariaLabel).join(', ')),
});

test('a newcomer gets coins, sits down, plays a hand with a reload in the middle, checks it, and leaves with everything', { timeout: 240_000 }, async () => {
  const ada = await open(browser, server.url), { page } = ada, requests = listen(ada);
  await page.goto(server.url);
  await page.locator('#chain-1').waitFor({ timeout: 60_000 });
  await page.getByRole('link', { name: 'How to join' }).click();
  await page.getByRole('link', { name: 'Play in this browser' }).click();
  await page.getByRole('button', { name: 'Make a wallet' }).waitFor();
  await axe(page);
  await seen(page, 'chain-begin');
  await page.getByRole('button', { name: 'Make a wallet' }).click();
  await page.locator('#table-1', { hasText: '3/9 seats taken' }).waitFor({ timeout: 60_000 });
  await page.locator('.note', { hasText: 'which is new to you' }).waitFor();
  await axe(page);
  await seen(page, 'chain-tables');

  // Without coins it is said what is missing; the faucet helps.
  await page.locator('#table-1 [data-sit]').click();
  await page.locator('.note', { hasText: 'You have 0 coins and need' }).waitFor();
  await page.getByRole('button', { name: 'Get coins to try it out' }).click();
  await page.locator('#list .coins', { hasText: /^[1-9]/ }).waitFor({ timeout: 30_000 });

  // The key is shown on demand only.
  const box = page.locator('details.own-key:not(.node)');
  await box.locator('> summary').click();
  const address = await box.locator('.address').textContent();
  assert.match(address, /^deal1/);
  await box.getByRole('button', { name: 'Show the key' }).click();
  await page.waitForFunction(() => document.querySelector('.key-text').value);
  const key = await box.locator('.key-text').inputValue();
  assert.match(key, /^[0-9a-f]{64}$/);
  await axe(page);
  await seen(page, 'chain-wallet', { fullPage: true });
  const [download] = await Promise.all([page.waitForEvent('download'), box.getByRole('button', { name: 'Save the key as a file' }).click()]);
  assert.equal((await readFile(await download.path(), 'utf8')).trim(), key);
  await box.getByRole('button', { name: 'Hide' }).click();
  assert.equal(await box.locator('.key-text').inputValue(), '');

  // Sits down. An amount that the table does not allow is not sent.
  await page.locator('#table-1 [data-sit]').click();
  await page.locator('#seating[open]').waitFor();
  await axe(page);
  await seen(page, 'chain-seating');
  await page.locator('#chips').fill('5');
  await page.locator('#seating button.main').click();
  assert.ok(await page.locator('#seating[open] #chips:invalid').count());
  await page.locator('#chips').fill('1000');
  await page.locator('#seating button.main').click();
  await page.waitForURL(/\/chain\/table\/1$/, { timeout: 60_000 });
  await page.locator('#purse', { hasText: 'Leave the table' }).waitFor({ timeout: 60_000 });
  await axe(page);
  await seen(page, 'chain-sat');

  // Buys as many chips as the table allows; they come with the next hand.
  const buy = page.getByRole('button', { name: /^Buy [\d,]+ chips$/ });
  const coinsNow = async () => (await ask(port, 'account', { address })).coins;
  const owned = await coinsNow();
  const offer = await buy.textContent(), bought = Number(offer.replaceAll(/\D/g, ''));
  assert.ok(bought > 0);
  await buy.click();
  // After a blind, as many chips can be bought again.
  await page.getByRole('button', { name: offer, exact: true }).waitFor({ state: 'detached', timeout: 60_000 });
  for (const late = Date.now() + 30_000; (await coinsNow()) === owned && Date.now() < late; ) await page.waitForTimeout(200);
  const paid = owned - (await coinsNow());
  assert.ok(paid >= bought && paid < bought + 1000, `${bought} chips for ${paid} coins, with a small fee`);

  // The same cards after a reload, unless that hand was over by then.
  await page.locator('#hand .card').nth(1).waitFor({ timeout: 90_000 });
  const before = await cards(page);
  assert.match(before.held, / of .*, .* of /);
  await page.reload();
  await page.locator('#hand .card').nth(1).waitFor({ timeout: 90_000 });
  const again = await cards(page);
  if (again.deal === before.deal) assert.equal(again.held, before.held);
  await axe(page);
  await seen(page, 'chain-hand');
  await play(page, () => page.locator('#ending tr.me').count());
  await page.locator('#ending h2', { hasText: /Deal \d+ is over/ }).waitFor();
  assert.match(await page.locator('#ending tr.me').innerText(), /Seat \d/);
  await axe(page);
  await seen(page, 'chain-ending');

  // Every shuffle, card and pot of it is repeated in the browser.
  await page.locator('#ending [data-verify]').click();
  await page.locator('#dialog h2', { hasText: /✓ Hand \d+: everything is right/ }).waitFor({ timeout: 60_000 });
  assert.equal(await page.locator('#dialog .checks .good').count(), 6);
  await axe(page);
  await seen(page, 'chain-verified');
  await page.locator('#dialog button').click();

  // Sits out and comes back, and leaves.
  const say = (text) => page.locator('#toasts, #status').filter({ hasText: text }).first().waitFor({ timeout: 60_000 });
  await Promise.all([say('You sit out'), page.getByRole('button', { name: 'Sit out' }).click()]);
  await page.getByRole('button', { name: 'Come back' }).waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Come back' }).click();
  await page.getByRole('button', { name: 'Sit out' }).waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Leave the table' }).click();
  await page.locator('#confirm[open]', { hasText: 'go back to your wallet' }).waitFor();
  await axe(page);
  await page.locator('#confirm[open] .grave').click();
  await play(page, () => page.locator('#purse [data-sit]').count(), 'f');
  await page.locator('#log li', { hasText: 'You left the table' }).waitFor();
  await seen(page, 'chain-left');
  await page.getByRole('link', { name: 'All tables' }).click();
  // Playing a hand costs at most the thousand chips, a bond that was not touched comes back, and fees are small.
  await page.locator('#list .coins', { hasText: /9\d\d,\d\d\d|1,\d\d\d,\d\d\d/ }).waitFor({ timeout: 60_000 });
  const coins = Number((await page.locator('#list .coins').textContent()).replaceAll(',', ''));
  assert.equal((await ask(port, 'account', { address })).coins, coins, 'the node says the same');
  assert.ok(coins > 980_000, String(coins));

  assert.ok(told.some((text) => text.includes(address)), 'questions are looked at');
  for (const text of [...requests, ...told]) assert.ok(!text.includes(key), text);
  assert.ok(!(await page.content()).includes(key));
  await ada.close();
});

test('on a phone and in German somebody watches, the node goes away and comes back, and their wallet is theirs elsewhere', { timeout: 180_000 }, async () => {
  const bert = await newcomer({ screen: 'phone', locale: 'de-DE' }), { page } = bert;
  await page.locator('#list', { hasText: 'In deiner Wallet: 0' }).waitFor();
  await noSidewaysScroll(page);
  await axe(page);
  await seen(page, 'chain-phone-tables', { fullPage: true });
  await page.locator('#table-1').getByRole('link', { name: 'Zuschauen' }).click();
  await page.locator('#purse', { hasText: 'Hinsetzen' }).waitFor({ timeout: 60_000 });
  await page.locator('#log li', { hasText: 'Platz' }).first().waitFor({ timeout: 60_000 });
  assert.equal(await page.locator('#hand .card').count(), 0, 'they see no cards of others');
  await noSidewaysScroll(page);
  await axe(page);
  await seen(page, 'chain-phone-table', { fullPage: true });

  const own = Number(tap.at.split(':')[1]);
  await tap.stop();
  await page.locator('#alarm', { hasText: /abgebrochen|kein Knoten erreichbar|antwortet nicht/ }).waitFor({ timeout: 60_000 });
  await axe(page);
  await seen(page, 'chain-phone-lost');
  tap = await tapped(own);
  await page.locator('#alarm').waitFor({ state: 'hidden', timeout: 60_000 });
  const height = await page.locator('#log li').count();
  await page.waitForFunction((before) => document.querySelectorAll('#log li').length > before, height, { timeout: 60_000 });

  // A table that does not exist leads to those that do.
  await page.goto(`${server.url}/chain/table/99`);
  await page.waitForURL(/\/chain\/play$/, { timeout: 60_000 });
  await page.locator('.note', { hasText: 'Es gibt keinen Tisch 99.' }).waitFor();

  // Typed rubbish is no key; a key from elsewhere is another wallet, and the first one comes back with its own.
  const box = page.locator('details.own-key:not(.node)');
  await box.locator('> summary').click();
  const address = await box.locator('.address').textContent();
  await box.getByRole('button', { name: 'Schlüssel zeigen' }).click();
  await page.waitForFunction(() => document.querySelector('.key-text').value);
  const key = await box.locator('.key-text').inputValue();
  const use = async (text) => {
    if (!(await box.locator('#other-key').isVisible())) await box.getByText('Andere Wallet benutzen').click();
    await box.locator('#other-key').fill(text);
    await box.getByRole('button', { name: 'Diese Wallet benutzen' }).click();
  };
  for (const [text, why] of [[address, 'Das ist eine Adresse'], ['abc', 'das hier sind 3'], ['hallo', 'Das ist kein Schlüssel'], ['0'.repeat(64), 'Diese Ziffern sind kein Schlüssel']]) {
    await use(text);
    await box.locator('.said', { hasText: why }).waitFor();
  }
  await axe(page);
  await use('07'.repeat(32));
  await page.waitForFunction((was) => /^deal1/.test(document.querySelector('.address')?.textContent) && document.querySelector('.address').textContent !== was, address);
  await box.locator('> summary').click();
  await use(key);
  await page.waitForFunction((was) => document.querySelector('.address')?.textContent === was, address);
  await bert.close();
});

test('a node that lies, talks nonsense, is not there or belongs to another chain is told so in one sentence', { timeout: 180_000 }, async () => {
  const ada = await newcomer(), { page } = ada, nonsense = await startNonsense();
  // The browser itself says that nobody is there.
  ada.allow(/WebSocket connection|ERR_CONNECTION_REFUSED/);
  const chain = (await ask(port, 'status')).chain;
  await page.locator('.node > summary').click();
  const use = async (at, of = '') => {
    await page.locator('#node-at').fill(at);
    await page.locator('.node details').evaluate((details) => { details.open = true; });
    await page.locator('#node-chain').fill(of);
    await page.getByRole('button', { name: 'Use this node' }).click();
  };
  const says = (text) => page.locator('.trouble', { hasText: text }).waitFor({ timeout: 60_000 });
  await use(' ');
  await page.locator('#node-said', { hasText: 'Type the address of a node.' }).waitFor();
  await use('a b');
  await says('This is not the address of a node.');
  await axe(page);
  await use('127.0.0.1:1');
  await says('No node can be reached at 127.0.0.1:1.');
  await use(nonsense.at);
  await says(`What answers at ${nonsense.at} is not a node, or a broken one.`);
  await use(`127.0.0.1:${port + 1}`, 'zz');
  await says('The name of a chain has 64 hexadecimal digits.');
  await use(`127.0.0.1:${port + 1}`, '0'.repeat(64));
  await says(`belongs to chain ${chain.slice(0, 12)}, not to 000000000000`);
  await seen(page, 'chain-wrong', { fullPage: true });

  // Straight to a node that the server does not know of; it is used after a reload, too.
  await use(`127.0.0.1:${port + 1}`, chain);
  await page.locator('#table-1').waitFor({ timeout: 60_000 });
  assert.equal(await page.locator('.trouble').isVisible(), false);
  assert.equal(await page.locator('.chain-id').textContent(), chain);
  await page.reload();
  await page.locator('#table-1').waitFor({ timeout: 60_000 });
  assert.equal(await page.locator('#node-at').inputValue(), `127.0.0.1:${port + 1}`);
  const bare = await page.goto(`${server.url}/chain/play`), script = await page.request.get(new URL((await bare.text()).match(/\/assets\/[0-9a-f]+\/purse\.js/)[0].replace('purse.js', 'wallet.js'), server.url).href);
  assert.match(bare.headers()['content-security-policy'], /connect-src 'self';/, 'the page itself talks to its server only');
  assert.match(script.headers()['content-security-policy'], /connect-src 'self' ws: wss:$/);

  // Now the node of the server makes everybody rich.
  lie = (method, result) => {
    if (method === 'entries') result.entries.forEach((entry) => { if (entry.value) entry.value = entry.value.replace(/..$/, (end) => (end === '00' ? '01' : '00')); });
    return result;
  };
  await page.locator('.node > summary').click();
  await page.locator('[name=which][value=here]').check();
  await page.locator('#node-chain').evaluate((field) => { field.value = ''; });
  await page.getByRole('button', { name: 'Use this node' }).click();
  await page.locator('.trouble.lie', { hasText: 'does not prove what it says' }).waitFor({ timeout: 60_000 });
  assert.equal(await page.locator('#list .rows').count(), 0, 'nothing is shown');
  await axe(page);
  await seen(page, 'chain-lie');
  lie = (_, result) => result;
  await page.locator('#table-1').waitFor({ timeout: 60_000 });
  await page.locator('.trouble').waitFor({ state: 'hidden' });
  await ada.close();
  await nonsense.stop();
});

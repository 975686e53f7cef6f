// One seat and several tabs: what one tab has stored another does not overwrite, and the tab that came last plays on.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startBrowser, startServer } from './harness.mjs';
import { come, create, person } from './tables.mjs';

let server, browser;
before(async () => {
  server = await startServer({ args: ['--tables-per-minute', '0'] });
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Waits until somebody sees their cards. */
const dealt = (page) => page.locator('#hand .card[aria-label*=" of "]').nth(1).waitFor({ timeout: 60_000 });

/** Two people at a table where a match has begun. */
async function begun() {
  const ada = await person(browser, server.url), bob = await person(browser, server.url);
  const link = await create(ada.page, server.url);
  await come(bob.page, link, 'Bob');
  await ada.page.locator('.people li', { hasText: 'Bob' }).waitFor();
  await ada.page.getByRole('button', { name: 'Start the match' }).click();
  await bob.page.getByRole('button', { name: 'I am ready' }).click();
  for (const { page } of [ada, bob]) await dealt(page);
  return { ada, bob, link };
}

/** What somebody holds. */
const cards = (page) => page.locator('#hand .card').evaluateAll((all) => all.map((card) => card.ariaLabel).join(', '));

test('who comes back in another tab, without the key in the address, sits where they sat, and the first tab says so', { timeout: 120_000 }, async () => {
  const { ada, bob, link } = await begun();
  const hand = await cards(ada.page), second = await ada.context.newPage();
  await second.goto(link.replace(/#.*/, ''));
  await dealt(second);
  assert.equal(await cards(second), hand);
  assert.equal(second.url(), link, 'the link in the address bar is the one to share');
  await ada.page.locator('#alarm', { hasText: 'You have opened this table somewhere else, and play on there.' }).waitFor();
  // Whoever is asked folds, and the next hand comes.
  const turn = (await second.locator('#desk.asked').count()) ? second : bob.page;
  await turn.locator('#key-f').click();
  const sure = turn.locator('#confirm[open] .grave');
  await turn.waitForTimeout(300);
  if (await sure.count()) await sure.click();
  for (const page of [second, bob.page]) await page.locator('#log li').filter({ hasText: /folds/ }).first().waitFor();
  // And back in the first one.
  await ada.page.reload();
  await ada.page.locator('#ending, #hand .card').first().waitFor({ timeout: 60_000 });
  await second.locator('#alarm', { hasText: 'You have opened this table somewhere else' }).waitFor();
  await ada.close();
  await bob.close();
});

test('a tab that comes while the other stores something goes on from that', { timeout: 120_000 }, async () => {
  const { ada, bob, link } = await begun();
  const second = await ada.context.newPage();
  // Between reading and playing on, the other tab stores an entry and a secret, as it would with a move.
  await ada.context.route('**/seat.js', async (route) => {
    const answer = await route.fetch(), text = await answer.text(), resumes = 'this.#call("resume", bytes)';
    assert.ok(text.includes(resumes));
    await route.fulfill({ response: answer, body: text.replace(resumes, `setTimeout(() => ${resumes}, 3000)`) });
  });
  await second.goto(link);
  await second.waitForTimeout(1000);
  const turn = (await ada.page.locator('#desk.asked').count()) ? ada.page : bob.page;
  await turn.locator('#key-c').click();
  await dealt(second);
  await ada.page.locator('#alarm', { hasText: 'somewhere else' }).waitFor({ timeout: 30_000 });
  await second.locator('#log li').filter({ hasText: /calls|checks/ }).first().waitFor();
  assert.equal(await second.locator('#alarm').isVisible(), false, 'one of the two plays on');
  await ada.close();
  await bob.close();
});

test('a form that is sent twice is one seat', { timeout: 60_000 }, async () => {
  const ada = await person(browser, server.url), bob = await person(browser, server.url);
  const link = await create(ada.page, server.url);
  let sockets = 0;
  await bob.context.route('**/seat.js', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `const Real = WebSocket; globalThis.WebSocket = class extends Real { constructor(at) { super(at); fetch('/healthz?socket'); } };\n${await answer.text()}` });
  });
  bob.context.on('request', (request) => { sockets += request.url().includes('healthz?socket') ? 1 : 0; });
  await bob.page.goto(link);
  await bob.page.locator('#come-name').fill('Bob');
  await bob.page.locator('[data-part=enter] form').evaluate((form) => {
    form.requestSubmit();
    form.requestSubmit();
  });
  await ada.page.locator('.people li', { hasText: 'Bob' }).waitFor();
  await bob.page.getByText('Waiting for Ada to start the match').waitFor();
  await bob.page.waitForTimeout(1500);
  assert.equal(sockets, 1);
  assert.equal(await ada.page.locator('.people li', { hasText: 'Bob' }).count(), 1);
  await ada.close();
  await bob.close();
});

test('a vault keeps what came first, and finished tables only for a while', { timeout: 60_000 }, async () => {
  const ada = await person(browser, server.url), { page } = ada;
  await create(page, server.url);
  const vault = await page.evaluate(() => document.querySelector('script[src*="private.js"]').src.replace('private.js', 'vault.js'));
  const found = await page.evaluate(async (vault) => {
    const { openVault } = await import(vault);
    const [one, other] = [await openVault('test'), await openVault('test')], bytes = (...all) => new Uint8Array(all);
    const entry = (height, ...all) => ({ kind: 'log', height, entry: bytes(...all) });
    const fails = (work) => work.then(() => 'stored', (why) => why.name);
    const said = {};
    await one.write('t', [{ kind: 'keep', text: '{}' }, { kind: 'secret', bytes: bytes(1) }, entry(1, 1, 2)]);
    await other.table('t');
    said.same = await fails(other.write('t', [entry(1, 1, 2), entry(2, 3)]));
    said.different = await fails(one.write('t', [entry(2, 4), { kind: 'keep', text: '{"lost":1}' }]));
    said.secret = await fails(one.write('t', [{ kind: 'secret', bytes: bytes(2) }]));
    said.old = await fails(other.write('t', [{ kind: 'secret', bytes: bytes(3) }]));
    const kept = await other.table('t');
    said.kept = [kept.keep, [...kept.secret], kept.log.map((one) => [...one])];
    said.again = await fails(other.write('t', [{ kind: 'secret', bytes: bytes(3) }]));
    said.identities = await Promise.all([one.keyOr('identity', 'a'), other.keyOr('identity', 'b')]);

    // Of the private tables in this browser, twelve are over.
    const own = await openVault();
    for (let number = 0; number < 12; number++) {
      await own.write(`old ${number}`, [{ kind: 'keep', text: '{"over":true}' }, entry(1, 1)]);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return said;
  }, vault);
  assert.deepEqual(found, {
    same: 'stored',
    different: 'ConstraintError',
    secret: 'stored',
    old: 'ConstraintError',
    kept: ['{}', [2], [[1, 2], [3]]],
    again: 'stored',
    identities: ['a', 'a'],
  });
  await page.reload();
  await page.locator('.people li').first().waitFor();
  const left = () => page.evaluate(async (vault) => {
    const { openVault } = await import(vault), store = await openVault(), all = await store.tables();
    return [all.length, (await store.table('old 0')) === undefined, (await store.table('old 11'))?.log.length];
  }, vault);
  for (let tries = 0; (await left())[0] !== 11 && tries < 50; tries += 1) await page.waitForTimeout(100);
  assert.deepEqual(await left(), [11, true, 1], 'the last ten, and the one that goes on');
  await ada.close();
});

// Private tables in real browsers: two people, one of them at a phone, sit down at a table whose cards no server sees.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { axe, startBrowser, startServer } from './harness.mjs';
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

/** Everything that a person's browser asks the server, to look for secrets in. */
function listen({ context }) {
  const asked = [];
  context.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''} ${JSON.stringify(request.headers())}`));
  return asked;
}

const asked = (page) => page.locator('#desk.asked').waitFor({ timeout: 60_000 });

test('two browsers play a hand that the server cannot see, and one of them is loaded again', async () => {
  const ada = await person(browser, server.url), bob = await person(browser, server.url, { screen: 'phone' });
  const requests = [listen(ada), listen(bob)];
  await ada.page.goto(server.url);
  await ada.page.getByRole('heading', { name: 'Private table: nobody but you sees your cards' }).waitFor();
  await ada.page.getByRole('link', { name: 'New private table' }).click();
  await ada.page.getByRole('link', { name: 'Hold' }).click();
  await ada.page.locator('[data-part=new][data-ready]').waitFor();
  await axe(ada.page);
  await ada.page.getByLabel('Your name at the table').fill('Ada');
  await ada.page.locator('#players-2').check();
  ada.allow(/status of 422/);
  // A table that cannot be played is not created, and the form says what is wrong, as at a house table.
  await ada.page.locator('#set-small_blind').fill('50');
  await ada.page.getByRole('button', { name: 'Create private table' }).click();
  await ada.page.getByText('Allowed: from 1 to 19, less than the big blind.').waitFor();
  await axe(ada.page);
  assert.equal(await ada.page.locator('#name').inputValue(), 'Ada');
  await ada.page.locator('#set-small_blind').fill('7');
  await ada.page.getByRole('button', { name: 'Create private table' }).click();
  await ada.page.waitForURL(/\/private\/[0-9a-f]+#fdt1/);
  // The host sits at their own table at once.
  await ada.page.locator('.people li', { hasText: 'Ada' }).waitFor();
  await ada.page.locator('.picture path[d^=M]').waitFor({ state: 'attached' });
  await axe(ada.page);

  const link = ada.page.url();
  assert.equal(await ada.page.locator('.command.join').textContent(), `fairdeal join '${link}'`);
  await come(bob.page, link, 'Bob');
  await ada.page.locator('.people li', { hasText: 'Bob' }).waitFor();
  await bob.page.getByText('Waiting for Ada to start the match').waitFor();
  await bob.page.locator('.chat summary').click();
  await bob.page.locator('.chat input').fill('Hello, Ada!');
  await bob.page.locator('.chat button').click();
  await ada.page.locator('.chat li', { hasText: 'Bob: Hello, Ada!' }).waitFor();
  await ada.page.getByRole('button', { name: 'Start the match' }).click();
  await bob.page.getByRole('button', { name: 'I am ready' }).waitFor();
  await bob.page.locator('.settings summary').click();
  assert.match(await bob.page.locator('[data-setting=small_blind]').innerText(), /7$/);
  await axe(bob.page);
  await bob.page.getByRole('button', { name: 'I am ready' }).click();
  await Promise.race([asked(ada.page), asked(bob.page)]);
  const cards = async ({ page }) => page.locator('#hand .card').evaluateAll((all) => all.map((card) => card.ariaLabel).join(', '));
  for (const { page } of [ada, bob]) await page.locator('#hand .card').nth(1).waitFor({ timeout: 60_000 });
  const hand = await cards(ada);
  assert.match(hand, / of .*, .* of /);
  assert.notEqual(hand, await cards(bob), 'everybody sees their own cards');
  await ada.page.locator('#checked summary').click();
  await ada.page.getByText(/Shuffled, each with a proof that no card was added, lost or swapped: (Ada, Bob|Bob, Ada)/).waitFor();
  for (const { page } of [ada, bob]) await axe(page);

  // The same cards and the same seat after a reload.
  await ada.page.reload();
  await ada.page.locator('#hand .card').nth(1).waitFor({ timeout: 60_000 });
  assert.equal(await cards(ada), hand);
  // Somebody whose device is gone is named, and so is what happens then.
  const [turn, other, name] = (await bob.page.locator('#desk.asked').count()) ? [bob, ada, 'Bob'] : [ada, bob, 'Ada'];
  await turn.page.goto('about:blank');
  await other.page.locator('#waits', { hasText: `${name}'s device is asleep or offline (a move). In about ` }).waitFor();
  await axe(other.page);
  await turn.page.goto(link);
  await asked(turn.page);
  await other.page.locator('#waits').waitFor({ state: 'hidden' });
  await turn.page.locator('#key-f').click();
  await turn.page.locator('#log li').filter({ hasText: /folds/ }).first().waitFor();
  // What was played so far can be checked at any time.
  await turn.page.locator('#ending [data-verify]').click();
  await turn.page.locator('dialog', { hasText: /✓ All \d+ entries are in order/ }).waitFor();
  await turn.page.locator('dialog', { hasText: 'the match goes on' }).waitFor();
  await axe(turn.page);

  const secret = new URL(link).hash.slice(1);
  for (const request of requests.flat()) assert.ok(!request.includes(secret), request);
  await ada.close();
  await bob.close();
});

test('somebody without the link knocks with the code, and the host lets them in or does not', async () => {
  const ada = await person(browser, server.url), bob = await person(browser, server.url, { screen: 'phone', locale: 'de-DE' });
  const link = await create(ada.page, server.url);
  const code = (await ada.page.locator('.invite .code').textContent()).trim();
  assert.match(code, /^\d{3} \d{3}$/);

  const knock = async (name) => {
    await bob.page.goto(server.url);
    await bob.page.getByRole('link', { name: 'Mit Code anklopfen' }).click();
    await axe(bob.page);
    await bob.page.locator('#code').fill(code);
    await bob.page.getByRole('button', { name: 'Mitspielen' }).click();
    await bob.page.locator('#knock-name').fill(name);
    await axe(bob.page);
    await bob.page.getByRole('button', { name: 'Anklopfen' }).click();
    await ada.page.locator('.knocks li', { hasText: `${name} knocks. Their words must be:` }).waitFor();
    const words = await bob.page.locator('.four').textContent();
    assert.match(words, /^\S+ \S+ \S+ \S+$/);
    assert.equal(await ada.page.locator('.knocks b').textContent(), words, 'both see the same words');
    for (const { page } of [ada, bob]) await axe(page);
  };
  await knock('Mallory');
  await ada.page.getByRole('button', { name: 'Turn away' }).click();
  await bob.page.getByText('Niemand am Tisch lässt dich herein.').waitFor();
  await knock('Bob');
  await ada.page.getByRole('button', { name: 'Let in' }).click();
  await ada.page.locator('.people li', { hasText: 'Bob' }).waitFor();
  await bob.page.getByText('Warten, bis Ada die Partie beginnt').waitFor();
  assert.equal(bob.page.url(), link, 'they have the whole link now');
  await ada.close();
  await bob.close();
});

test('the key of a browser stays there, can be saved and replaced, and is shown only on demand', async () => {
  const ada = await person(browser, server.url);
  const requests = listen(ada), { page } = ada;
  await page.goto(`${server.url}/private/new/holdem`);
  await page.locator('[data-part=new][data-ready]').waitFor();
  const box = page.locator('.own-key');
  await box.locator('summary').click();
  await box.locator('.npub', { hasText: /^npub1/ }).waitFor();
  const npub = await box.locator('.npub').textContent(), html = await page.content();
  assert.ok(!html.includes('nsec1') || !/nsec1[0-9a-z]{20}/.test(html), 'the page has no secret in it');
  await box.getByRole('button', { name: 'Show the secret key' }).click();
  await box.locator('.secret:not([hidden])').waitFor();
  const nsec = await box.locator('.nsec').inputValue();
  assert.match(nsec, /^nsec1[0-9a-z]{58}$/);
  await box.getByText('Anyone who has this key can play as you.').waitFor();
  await axe(page);
  const [download] = await Promise.all([page.waitForEvent('download'), box.getByRole('button', { name: 'Save it as a file' }).click()]);
  assert.equal((await (await import('node:fs/promises')).readFile(await download.path(), 'utf8')).trim(), nsec);
  await box.getByRole('button', { name: 'Hide' }).click();
  assert.equal(await box.locator('.nsec').inputValue(), '');

  const use = async (key) => {
    await box.locator('#other-key').fill(key);
    await box.getByRole('button', { name: 'Use this key' }).click();
  };
  for (const [key, why] of [[npub, /This is a public key/], [`${nsec.slice(0, -1)}${nsec.endsWith('q') ? 'p' : 'q'}`, /typing error/], ['abc', /has 64 digits, and this has 3/], ['hello', /This is not a key/]]) {
    await use(key);
    await box.locator('.said', { hasText: why }).waitFor();
  }
  assert.equal(await box.locator('.npub').textContent(), npub);
  await use('0000000000000000000000000000000000000000000000000000000000000003');
  await box.getByText('From now on this is your key.').waitFor();
  const other = await box.locator('.npub').textContent();
  assert.notEqual(other, npub);
  await page.reload();
  await page.locator('[data-part=new][data-ready]').waitFor();
  await box.locator('summary').click();
  await box.locator('.npub', { hasText: other }).waitFor();
  await use(nsec);
  await box.locator('.npub', { hasText: npub }).waitFor();
  for (const request of requests) assert.ok(!request.includes(nsec) && !request.includes(npub), request);
  await ada.close();
});

test('a link that is cut off says so to whoever does not sit there', async () => {
  const ada = await person(browser, server.url), bob = await person(browser, server.url);
  const link = await create(ada.page, server.url);
  await bob.page.goto(link.split('#')[0]);
  await bob.page.getByText('Your link has no key').waitFor();
  await axe(bob.page);
  await ada.page.goto(`${server.url}/`);
  await ada.page.goto(link.split('#')[0]);
  await ada.page.locator('.people li', { hasText: 'Ada' }).waitFor();
  assert.equal(ada.page.url(), link);
  await ada.close();
  await bob.close();
});

test('a page whose parts could not be loaded goes on by itself once the server answers', { timeout: 60_000 }, async () => {
  const ada = await person(browser, server.url), { page, context } = ada;
  const link = await create(page, server.url);
  ada.allow(/ERR_FAILED|Failed to (fetch|load)/);
  for (const lost of ['**/gather.js', '**/worker.js', '**/private-holdem.wasm']) {
    await page.goto('about:blank');
    let gone = 0;
    await context.route(lost, (route) => ((gone += 1), route.abort()));
    await page.goto(link);
    await page.locator('[data-part=failed]', { hasText: 'It goes on by itself as soon as the server answers.' }).waitFor();
    assert.ok(gone > 0, lost);
    await context.unroute(lost);
    await page.locator('.people li', { hasText: 'Ada' }).waitFor();
  }
  await ada.close();
});

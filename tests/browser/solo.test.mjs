// Tables for one person: a whole match, reloads, the server killed for good, a new version, and a browser that cannot install.

import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';

import { axe, open, startBrowser, startServer } from './harness.mjs';

const CALM = { reducedMotion: 'reduce' };
const REFUSED = /ERR_CONNECTION_REFUSED|ERR_FAILED|Failed to (fetch|update|load)/;

let server, browser;
before(async () => {
  server = await startServer();
  browser = await startBrowser(['--host-resolver-rules=MAP cards.test 127.0.0.1']);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Somebody who takes every hint, until the match is over or something else happens. */
async function playOn(page, until) {
  await page.evaluate(() => {
    const get = (selector) => document.querySelector(selector);
    let asked = null;
    clearInterval(globalThis.robot);
    globalThis.robot = setInterval(() => {
      const { height } = get('#desk').dataset;
      if (get('#confirm[open]')) get('#confirm .grave').click();
      else if (get('#dialog[open]')) get('#dialog .main').click();
      else if (get('.ending .ready')) get('.ending .ready').click();
      else if (get('.buttons .meant')) get('.buttons .meant').click();
      else if (get('#desk.asked #hint') && asked !== height) {
        asked = height;
        get('#hint').click();
      }
    }, 40);
  });
  await until.waitFor({ timeout: 30_000 });
  await page.evaluate(() => clearInterval(globalThis.robot));
}

const over = (page) => page.locator('#ending form[action="#again"]');
const kept = (page) => page.locator('#install[data-kept=yes]').waitFor({ timeout: 30_000 });
const turn = (page) => page.locator('#desk.asked');
const hand = (page) => page.locator('#hand .card').evaluateAll((all) => all.map((card) => card.ariaLabel).join(', '));

/** Chooses the shortest Blackout there is, with computers that do not think. */
async function shortest(page) {
  await page.locator('[data-part=new][data-ready]').waitFor();
  await page.locator('#players-3').check();
  await page.locator('#set-max').fill('2');
  await page.locator('summary', { hasText: /More settings|Weitere Einstellungen/ }).click();
  await page.locator('#pace').selectOption('0');
}

test('a match against computers, reloaded in the middle, played to its end and played again', async () => {
  const ada = await open(browser, server.url, CALM), { page } = ada;
  await page.goto(server.url);
  await page.getByText('Against computers, on this device, also without a network.').waitFor();
  await page.getByRole('link', { name: 'Play alone' }).click();
  await kept(page);
  await axe(page);
  await page.getByRole('link', { name: 'Blackout' }).click();
  await shortest(page);
  await axe(page);
  // The browser itself checks the form, as a server does.
  await page.locator('#set-start').fill('9');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.locator('.wrong', { hasText: 'Allowed: from 1 to 2' }).waitFor();
  await axe(page);
  await page.locator('#set-start').fill('1');
  // From here on the server only hears of a page that is loaded again.
  const asked = [];
  ada.context.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await turn(page).waitFor();
  await page.locator('#hand .card').first().waitFor();
  await axe(page);
  const cards = await hand(page), log = await page.locator('#log').innerText();
  await page.reload();
  await turn(page).waitFor();
  assert.deepEqual([await hand(page), await page.locator('#log').innerText()], [cards, log], 'the same after a reload');
  await playOn(page, over(page));
  await axe(page);
  await page.reload();
  await over(page).waitFor();
  await page.locator('#ending [data-verify]').click();
  await page.locator('#dialog', { hasText: 'no server takes part' }).waitFor();
  await page.locator('#dialog button').click();
  await page.getByRole('button', { name: 'Rematch' }).click();
  await turn(page).waitFor();
  assert.equal(await over(page).count(), 0);
  assert.ok(!(await page.locator('#log').innerText()).includes('Deal 2'), 'another match');
  await page.getByRole('button', { name: 'Give up this match' }).click();
  await page.locator('#confirm .grave').click();
  await page.locator('[data-part=new]').waitFor();
  await page.reload();
  await page.locator('[data-part=new][data-ready]').waitFor();
  for (const request of asked) assert.match(request, /^GET \/(solo|assets)/, 'nothing is told to the server');
  await ada.close();
});

test('a phone installs it, the server is killed, and the match goes on', async () => {
  const own = await startServer();
  const bob = await open(browser, own.url, { ...CALM, screen: 'phone', locale: 'de-DE' });
  try {
    await bob.page.goto(`${own.url}/solo/holdem`);
    await kept(bob.page);
    const devtools = await bob.context.newCDPSession(bob.page);
    const { errors, data } = await devtools.send('Page.getAppManifest');
    assert.deepEqual([errors, JSON.parse(data).start_url], [[], '/solo']);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito'), []);
    await bob.page.getByRole('button', { name: 'Spielen', exact: true }).click();
    await turn(bob.page).waitFor();
    const cards = await hand(bob.page);
    await axe(bob.page);

    bob.allow(REFUSED);
    await own.kill();
    await bob.page.close();
    const other = await bob.context.newPage();
    await assert.rejects(other.goto(own.url), /ERR_CONNECTION_REFUSED/, 'only pages for one person are kept');
    await other.close();
    const page = await bob.context.newPage();
    await page.goto(`${own.url}/solo`);
    await page.getByRole('link', { name: 'Hold' }).click();
    await turn(page).waitFor();
    assert.equal(await hand(page), cards);
    await playOn(page, page.locator('#log li', { hasText: 'Spiel 2' }));
    await axe(page);
    // A game that was never opened before.
    await page.goto(`${own.url}/solo/blackout`);
    await shortest(page);
    await page.getByRole('button', { name: 'Spielen', exact: true }).click();
    await playOn(page, over(page));
    await page.getByText('Die Partie ist zu Ende').waitFor();
    await axe(page);
    // The other match is still there.
    await page.goto(`${own.url}/solo/holdem`);
    await page.locator('#log li', { hasText: 'Spiel 2' }).waitFor();
    await bob.close();
  } finally {
    await own.kill();
  }
});

/** A server in front of the server, which can change the version of its files, as an update does. */
async function updating(origin) {
  let other = null;
  const proxy = http.createServer((request, response) => {
    const headers = { ...request.headers, 'accept-encoding': 'identity' };
    // The server itself knows its own version only; after the update, the old one is gone here.
    const [old, now] = other ?? [];
    const asked = other ? request.url.replace(now, '\n').replace(old, 'gone').replace('\n', old) : request.url;
    const passed = http.request(origin + asked, { method: request.method, headers }, async (answer) => {
      const parts = [];
      for await (const part of answer) parts.push(part);
      let body = Buffer.concat(parts);
      if (other && /html|javascript|json/.test(answer.headers['content-type'] ?? '')) body = Buffer.from(body.toString().replaceAll(...other));
      response.writeHead(answer.statusCode, { ...answer.headers, 'content-length': body.length });
      response.end(body);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${proxy.address().port}`,
    update: (from, to) => (other = [from, to]),
    close: () => {
      proxy.closeAllConnections();
      return new Promise((resolve) => proxy.close(resolve));
    },
  };
}

test('a new version takes the place of the old one, and a match goes on with it', async (t) => {
  const front = await updating(server.url), ada = await open(browser, front.url, CALM), { page } = ada;
  // A proxy that is left open keeps the tests from ending.
  t.after(() => front.close());
  const caches = () => page.evaluate(() => globalThis.caches.keys());
  const version = async () => (await page.content()).match(/\/assets\/([0-9a-f]{12})\/style.css/)[1];
  await page.goto(`${front.url}/solo/blackout`);
  await shortest(page);
  await kept(page);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await turn(page).waitFor();
  const cards = await hand(page), before = await version();
  assert.deepEqual(await caches(), [`fairdeal-solo-${before}`]);
  front.update(before, 'feedfacecafe');
  await page.reload();
  for (let late = Date.now() + 30_000; `${await caches()}` !== 'fairdeal-solo-feedfacecafe';) {
    assert.ok(Date.now() < late, `${await caches()}`);
    await page.waitForTimeout(50);
  }
  await turn(page).waitFor();
  assert.equal(await hand(page), cards);
  ada.allow(REFUSED);
  await front.close();
  await page.reload();
  await turn(page).waitFor();
  assert.deepEqual([await version(), await hand(page)], ['feedfacecafe', cards], 'all of the new version is kept');
  await ada.close();
});

test('where a browser keeps nothing, the page says why, and plays as long as it is open', async () => {
  const own = await startServer(), there = own.url.replace('127.0.0.1', 'cards.test');
  const ada = await open(browser, there, CALM), { page } = ada;
  ada.allow(REFUSED);
  ada.allow(/Cross-Origin-Opener-Policy header has been ignored/);
  try {
    await page.goto(`${there}/solo/blackout`);
    await page.locator('#install', { hasText: 'Cannot be installed here: browsers allow that only over https' }).waitFor();
    await axe(page);
    await shortest(page);
    await page.waitForLoadState('networkidle');
    await own.kill();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await playOn(page, over(page));
    await page.getByRole('button', { name: 'Rematch' }).click();
    await turn(page).waitFor();
    await ada.close();
  } finally {
    await own.kill();
  }
});

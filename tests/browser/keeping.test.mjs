// What pages keep of the shuffles at a table, in real browsers: friends see the same words, the record is compared with
// what was kept, and a house that asks twice is told so. Between page and server sits somebody who changes messages.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { axe } from './harness.mjs';
import { Person, noSidewaysScroll, playToTheEnd, verified } from './people.mjs';
import { judged } from './records.mjs';
import { browser, server } from './shared.mjs';

const TIMEOUT = { timeout: 180_000 };

/** Two people at a table that has begun. */
async function seated(game, options = [{}, {}]) {
  const people = await Promise.all(options.map((one) => Person.enter(browser, server, { locale: 'en-US', ...one })));
  const { address, code } = await people[0].make(game);
  await people[1].join(code);
  return { people, address };
}

/** The panel about fairness, opened. */
async function panel(page) {
  const details = page.locator('#side > details', { has: page.locator('#fairness') });
  if (!(await details.evaluate((one) => one.open))) await details.locator('> summary').click();
  return page.locator('#fairness');
}

const words = async (page) => (await panel(page)).locator('#words output').textContent();

/**
 * Somebody between page and house: the house never hears the page's first seed, and when the page is asked for it again,
 * it is shown another commitment of the house. Gives what the page has sent.
 */
async function deceive({ page }) {
  const sent = [];
  const reveals = () => sent.filter(({ command }) => command?.reveal).length;
  await page.routeWebSocket(/\/socket/, (here) => {
    const house = here.connectToServer();
    here.onMessage((text) => {
      sent.push(JSON.parse(text));
      if (!sent.at(-1).command?.reveal) house.send(text);
    });
    house.onMessage((text) => {
      const message = JSON.parse(text), list = message.parts?.seeds?.commitments;
      if (list && reveals() > 0) list.house = list.house.replace(/^../, (digits) => (digits === '00' ? '11' : '00'));
      here.send(JSON.stringify(message));
    });
  });
  return reveals;
}

test('friends see the same words, also after a reload, and the record is the one that their browsers kept', TIMEOUT, async () => {
  const { people, address } = await seated('romme', [{}, { screen: 'phone', locale: 'de-DE' }]);
  const [one, two] = people;
  await one.start();
  // The first shuffle is the draw for the dealer, the second that of the cards.
  const second = ({ page }) => page.waitForFunction(() => /2$/.test(document.querySelector('#words small')?.textContent));
  await Promise.all(people.map(second));
  const said = await Promise.all(people.map(({ page }) => words(page)));
  assert.match(said[0], /^[a-z]+ [a-z]+ [a-z]+ [a-z]+$/);
  assert.equal(said[0], said[1]);
  await two.page.reload();
  await second(two);
  assert.equal(await words(two.page), said[1], 'they are kept');
  const proven = await (await panel(one.page)).textContent();
  assert.match(proven, /Neither the house nor any player chose the order/, 'Rommé publishes the seed');
  for (const { page } of people) {
    await axe(page);
    await noSidewaysScroll(page);
  }
  await playToTheEnd(people);
  const verdicts = await verified(one.page);
  assert.ok(verdicts.some((text) => /proven fair/.test(text)), verdicts.join('\n'));

  // What can be downloaded is what the program checks the record against.
  const files = await Promise.all(people.map(async ({ page }) => {
    const [file] = await Promise.all([page.waitForEvent('download'), (await panel(page)).locator('[data-kept]').click()]);
    assert.match(file.suggestedFilename(), /^fairdeal-[0-9a-f]{16}\.kept\.jsonl$/);
    return readFile(await file.path(), 'utf8');
  }));
  const record = await one.page.evaluate(async (url) => (await fetch(url)).text(), `${address}/record`);
  for (const kept of files) assert.deepEqual(judged([record], kept), [true], kept);
  const changed = files[0].replace(/"house":"./, (digit) => `"house":"${digit.endsWith('0') ? '1' : '0'}`);
  assert.deepEqual(judged([record], changed), [false]);
  for (const person of people) await person.close();
});

test('a table whose seed is never published does not promise that nobody chose the order', TIMEOUT, async () => {
  const { people: [one, two] } = await seated('holdem', [{}, { locale: 'de-DE' }]);
  assert.doesNotMatch(await (await panel(one.page)).textContent(), /Neither the house nor any player/);
  assert.match(await (await panel(one.page)).textContent(), /You have to trust.*order of the cards was made from everybody's seeds/s);
  assert.match(await (await panel(two.page)).textContent(), /Darauf musst du vertrauen.*Reihenfolge der Karten aus den Startwerten aller/s);
  for (const person of [one, two]) await person.close();
});

test('a house that shows other commitments after a reload gets no seed, and its player is told', TIMEOUT, async () => {
  const { people: [one, two] } = await seated('blackout', [{}, { locale: 'de-DE' }]);
  const reveals = await deceive(one);
  await one.page.reload();
  await one.start();
  await one.page.waitForFunction(() => document.querySelector('#words output')?.textContent);
  assert.equal(reveals(), 1);
  await one.page.reload();
  const alarm = one.page.locator('#alarm');
  await alarm.waitFor();
  assert.match(await alarm.textContent(), /two different lists of commitments for shuffle 1.*sends it no more seeds/s);
  await axe(one.page);
  // The others wait for it once; then the match goes on without its seeds.
  await playToTheEnd([one, two]);
  assert.equal(reveals(), 1, 'no other seed was sent');
  await one.page.reload();
  await alarm.waitFor();
  await one.page.locator('#ending [data-verify]').click();
  await one.page.locator('#dialog[open] .checks .bad').first().waitFor();
  assert.match(await one.page.locator('#dialog h2').textContent(), /Something is wrong/);
  assert.match(await one.page.locator('#dialog .checks').textContent(), /the house showed this browser two different lists/);
  // The other player, who was not deceived, only sees that a seat was left out.
  assert.ok((await verified(two.page)).some((text) => /nicht rechtzeitig aufgedeckt/.test(text)));
  for (const person of [one, two]) await person.close();
});

test('a browser that keeps nothing plays on and says that it cannot check', TIMEOUT, async () => {
  const { people: [one, two] } = await seated('blackout');
  await one.page.addInitScript(() => {
    Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
  });
  await one.page.reload();
  await one.start();
  await one.page.waitForFunction(() => document.querySelector('#words output')?.textContent);
  assert.match(await (await panel(one.page)).locator('#keeping').textContent(), /storage is full or blocked/);
  assert.ok(await one.page.locator('#keeping').isVisible());
  assert.equal(await (await panel(two.page)).locator('#keeping').isVisible(), false);
  // Both hear of the last seed, but not in the same moment.
  for (let tries = 0; tries < 50 && (await words(one.page)) !== (await words(two.page)); tries += 1) await one.page.waitForTimeout(100);
  assert.equal(await words(one.page), await words(two.page), 'and takes part all the same');
  await playToTheEnd([one, two]);
  await verified(two.page);
  for (const person of [one, two]) await person.close();
});

test('a second device of the same player raises no alarm', TIMEOUT, async () => {
  const { people: [one, two], address } = await seated('blackout');
  // The same cookies in a second browser: as if the profile had been moved there.
  const phone = await Person.enter(browser, server, { locale: 'en-US', screen: 'phone' });
  await phone.page.context().clearCookies();
  await phone.page.context().addCookies(await one.page.context().cookies());
  await phone.page.goto(address);
  await one.start();
  await playToTheEnd([one, two]);
  for (const person of [one, phone]) {
    await person.page.locator('#ending').waitFor();
    await verified(person.page);
  }
  for (const person of [one, two, phone]) await person.close();
});

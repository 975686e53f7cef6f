// Time, as people at a table see it: how much they have, and how long things stay.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open } from './harness.mjs';
import { Person } from './people.mjs';
import { browser, server } from './shared.mjs';

const enter = () => Person.enter(browser, server, { locale: 'en-US' });
const asked = ({ page }) => page.locator('#desk.asked');

/** The seconds that a page says are left. */
async function left({ page }) {
  return Number.parseInt(await page.locator('#clock:not([hidden]) [role=timer]').textContent(), 10);
}

/** Of two people the one whose turn it is, and the other. */
async function turn(people) {
  await Promise.race(people.map((person) => asked(person).waitFor()));
  return (await asked(people[0]).count()) ? people : [...people].reverse();
}

/** Notes, from now on, when lines come to the log of a page, in milliseconds. */
async function listen(page) {
  await page.evaluate(() => {
    globalThis.lines = [];
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const { textContent } of addedNodes) globalThis.lines.push({ text: textContent, at: performance.now() });
    }).observe(document.getElementById('log'), { childList: true });
  });
  return () => page.evaluate(() => globalThis.lines);
}

test('each of two people starts with the whole time, and all see the same clock', { timeout: 90_000 }, async () => {
  const [one, two] = await Promise.all([enter(), enter()]);
  const { address, code } = await one.make('blackout', { players: 2, settings: { start: 2, max: 2, end: 2, action_timeout: 10 } });
  await two.join(code);
  const watcher = await open(browser, server.url, { locale: 'en-US' });
  await watcher.page.goto(address);
  await one.start();
  for (let moves = 0; moves < 4; moves += 1) {
    const [first, second] = await turn([one, two]);
    assert.ok((await left(first)) >= 9, `move ${moves}: ${await left(first)} s at the beginning of a turn`);
    assert.match(await first.page.locator('#clock').getAttribute('class'), /mine/);
    assert.doesNotMatch(await second.page.locator('#clock').getAttribute('class'), /mine/);
    await first.page.waitForTimeout(4200);
    // A player who arrives or reloads the page sees the time that is left, and no more.
    if (moves === 0) await second.page.reload();
    if (moves === 1) await first.page.reload();
    await first.page.locator('#clock:not([hidden])').waitFor();
    for (const person of [first, second, watcher]) {
      const seconds = await left(person);
      assert.ok(seconds >= 2 && seconds <= 6, `move ${moves}: ${seconds} s of 10 after more than four`);
    }
    const height = await first.page.locator('#desk').getAttribute('data-height');
    const bid = first.page.locator('.bid[data-place]').first();
    const bidding = (await bid.count()) > 0;
    if (bidding) await bid.click();
    else await first.page.locator('#hand button.card:not(.unusable)').first().click();
    await first.page.locator(`#key-${bidding ? 'b' : 'p'}:not([aria-disabled])`).click();
    await first.page.waitForFunction((was) => document.querySelector('#desk').dataset.height !== was, height);
  }
  for (const person of [one, two, watcher]) await person.close();
});

test('computers that play like people pause before every move, and a finished trick stays', { timeout: 120_000 }, async () => {
  const person = await enter();
  await person.make('blackout', { players: 4, people: 1, pace: 2, settings: { start: 3, max: 3, end: 3 } });
  const { page } = person;
  await person.start();
  const lines = await listen(page);
  while (!(await person.over())) if (!(await person.act())) await page.waitForTimeout(50);
  const all = await lines();
  const of = (text) => all.filter((line) => text.test(line.text));
  const computers = of(/^(Bo|Cleo|Dag) (bids|plays)/);
  assert.ok(computers.length >= 9, `three computers bid and play three cards: ${all.map(({ text }) => text).join(', ')}`);
  const done = of(/(bids|plays) /);
  const waited = (line) => line.at - (done[done.indexOf(line) - 1]?.at ?? -Infinity);
  for (const line of computers) assert.ok(waited(line) > 900, `${line.text}: ${waited(line)} ms after the move before`);
  // Lines of one moment are: the last card of a trick, and who takes it.
  const taken = of(/takes? the trick/);
  assert.ok(taken.length >= 3, 'three tricks');
  const leads = taken.map(({ at }) => done.find((line) => line.at > at + 100)).filter((line) => computers.includes(line));
  for (const line of leads) assert.ok(waited(line) > 2000, `${line.text} covers a trick after ${waited(line)} ms`);
  await person.close();
});

test('when both are all-in, hands are shown, then street after street, and then who has won', { timeout: 60_000 }, async () => {
  const people = await Promise.all([enter(), enter()]);
  const { code } = await people[0].make('holdem', { players: 2, pace: 2 });
  await people[1].join(code);
  await people[0].start();
  const [first, second] = await turn(people);
  const { page } = second;
  await page.evaluate(() => {
    globalThis.seen = [];
    const look = () => {
      const cards = document.querySelectorAll('#middle .board .card[data-slot]').length;
      const now = `${cards}${document.getElementById('ending') ? ' over' : ''}`;
      const told = [...document.querySelectorAll('#log li')].map(({ textContent }) => textContent.match(/^(Flop|Turn|River):| wins /)?.[0].trim()).filter(Boolean);
      if (globalThis.seen.at(-1)?.now !== now) globalThis.seen.push({ now, told: told.join(' '), at: performance.now() });
    };
    look();
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  });
  await first.page.locator('#key-a').click();
  await first.page.locator('#key-r.grave').click();
  await asked(second).waitFor();
  await page.locator('#key-c').click();
  await page.locator('#ending').waitFor();
  const seen = await page.evaluate(() => globalThis.seen);
  // The result is looked at for the whole time: it does not begin before the last card is shown.
  if (await page.locator('#ending button.ready').count()) assert.ok((await left(second)) >= 29, `${await left(second)} s`);
  assert.deepEqual(seen.map(({ now }) => now), ['0', '3', '4', '5', '5 over']);
  assert.deepEqual(seen.slice(0, 4).map(({ told }) => told), ['', 'Flop:', 'Flop: Turn:', 'Flop: Turn: River:']);
  assert.match(seen[4].told, /wins|split/);
  for (let i = 2; i < seen.length; i += 1) assert.ok(seen[i].at - seen[i - 1].at > 700, `${seen[i].now} came after ${seen[i].at - seen[i - 1].at} ms`);
  for (const person of people) await person.close();
});

test('a player who was away is asked again when they open the page', { timeout: 90_000 }, async () => {
  const people = await Promise.all([enter(), enter()]);
  const { code } = await people[0].make('blackout', { players: 2, settings: { start: 3, max: 3, end: 3, action_timeout: 10, away_after: 1 } });
  await people[1].join(code);
  await people[0].start();
  const [gone, other] = await turn(people);
  const address = gone.page.url();
  await gone.page.goto('about:blank');
  await other.page.locator('#log li', { hasText: '(time was up)' }).waitFor({ timeout: 20_000 });
  const away = other.page.locator('#log li', { hasText: '(away)' });
  while (!(await away.count())) if (!(await other.act())) await other.page.waitForTimeout(50);
  await gone.page.goto(address);
  await gone.page.locator('#felt > header .away').waitFor({ state: 'detached' });
  while (!(await asked(gone).count())) if (!(await other.act())) await other.page.waitForTimeout(50);
  assert.ok((await left(gone)) >= 9, `${await left(gone)} s`);
  for (const person of people) await person.close();
});

test('hints are there where the table allows them, and the others see who used one', { timeout: 60_000 }, async () => {
  for (const hints of ['on', 'off']) {
    const people = await Promise.all([enter(), enter()]);
    const { code } = await people[0].make('blackout', { players: 2, hints });
    await people[1].join(code);
    await people[0].start();
    const [first, second] = await turn(people);
    assert.equal(await first.page.locator('#hint').count(), hints === 'on' ? 1 : 0);
    if (hints === 'on') {
      await first.page.locator('#hint').click();
      await first.page.locator('#dialog[open] button.main').waitFor();
      await second.page.locator('#log li', { hasText: 'used a hint' }).waitFor();
      await second.page.locator('.player .hinted', { hasText: '1 hint' }).waitFor();
      assert.equal(await second.page.locator('#desk .hinted').count(), 0);
    }
    for (const person of people) await person.close();
  }
});

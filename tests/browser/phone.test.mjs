// On a phone: on their turn, players see the middle of the table, their cards and the buttons all at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Person, noSidewaysScroll } from './people.mjs';
import { browser, server } from './shared.mjs';

/** The number of players, and the parts of the middle that are needed to decide. */
const TABLES = {
  holdem: [6, '.board'],
  blackjack: [4, '.bank'],
  romme: [3, '.piles'],
  bigc: [12, '.board'],
  ongdu: [4, '#middle'],
  blackout: [5, '.cells'],
};

/** The visible area between the bars of a phone's browser, in portrait and landscape. */
const SIZES = [
  { width: 390, height: 664 },
  { width: 844, height: 390 },
];

for (const [game, [players, what]] of Object.entries(TABLES)) {
  test(`${game} with ${players} players: the middle, the hand and the buttons are visible`, { timeout: 120_000 }, async () => {
    for (const viewport of SIZES) {
      const phone = await Person.enter(browser, server, { screen: 'phone', viewport, locale: 'de-DE', reducedMotion: 'reduce' });
      const other = await Person.enter(browser, server, { locale: 'en-US' });
      const { code } = await phone.make(game, { players, settings: game === 'blackout' ? { start: 5, max: 5, end: 5 } : {} });
      await other.join(code);
      await phone.start();
      for (let seen = 0; seen < 4; ) {
        if (await phone.page.locator('#desk.asked').count()) {
          await inSight(phone.page, what);
          seen += 1;
        } else if (await phone.over()) break;
        await Promise.all([phone.act(), other.act()]);
        await phone.page.waitForTimeout(50);
      }
      await noSidewaysScroll(phone.page);
      for (const person of [phone, other]) await person.close();
    }
  });
}

test('when a deal is over, its result is in sight', { timeout: 60_000 }, async () => {
  const phone = await Person.enter(browser, server, { screen: 'phone', viewport: SIZES[0], locale: 'de-DE' });
  const other = await Person.enter(browser, server, { locale: 'en-US' });
  const { code } = await phone.make('holdem', { players: 6 });
  await other.join(code);
  await phone.start();
  while (!(await other.page.locator('#desk.asked').count())) if (!(await phone.act())) await phone.page.waitForTimeout(50);
  // They look at the log, below the table.
  await phone.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  assert.ok((await phone.page.evaluate(() => scrollY)) > 0);
  while (!(await phone.page.locator('#ending').count())) {
    // They scroll down again before they press: their move may end the deal at once.
    const pressed = await phone.page.evaluate(() => {
      const button = document.querySelector('#desk.asked .buttons [data-key=c], #desk.asked .buttons [data-key=a]');
      if (button) scrollTo(0, document.documentElement.scrollHeight);
      button?.click();
      return Boolean(button);
    });
    // The other one only plays: who is ready for the next deal could begin it, if the one with the phone has lost everything.
    const moved = pressed || ((await other.page.locator('#desk.asked').count()) && (await other.act()));
    if (!moved) await phone.page.waitForTimeout(50);
  }
  await phone.page.waitForFunction(() => {
    const title = document.querySelector('#ending h2')?.getBoundingClientRect();
    return title && title.top >= 0 && title.bottom <= innerHeight;
  });
  assert.equal(await phone.page.locator('#ending').evaluate((one) => getComputedStyle(one).zIndex), '3', 'cards on their way stay below it');
  for (const person of [phone, other]) await person.close();
});

test('the rows of other players wrap only between words', { timeout: 60_000 }, async () => {
  const phone = await Person.enter(browser, server, { screen: 'phone', viewport: SIZES[0], locale: 'de-DE' });
  const other = await Person.enter(browser, server, { locale: 'en-US' });
  const { code } = await phone.make('ongdu', { players: 4 });
  await other.join(code);
  await phone.start();
  const ranks = phone.page.locator('.player .rank');
  while (!(await phone.page.locator('#ending').count())) {
    await Promise.all([phone.act(), other.act()]);
    await phone.page.waitForTimeout(50);
  }
  await ranks.first().waitFor();
  const lines = await ranks.evaluateAll((all) => all.map((one) => [one.textContent, Math.round(one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight))]));
  for (const [text, count] of lines) assert.ok(count <= text.split(' ').length, `${text}: ${count} lines`);
  for (const person of [phone, other]) await person.close();
});

/** All of these are on the screen, and the desk does not cover the middle. */
async function inSight(page, what) {
  const bad = await page.evaluate((selector) => {
    if (!document.querySelector('#desk.asked')) return [];
    const box = (one) => one.getBoundingClientRect();
    const middle = document.querySelector(`#middle ${selector}, ${selector}#middle`);
    const near = box(document.querySelector('.near'));
    const found = [];
    const check = (name, { top, bottom }, floor = innerHeight) => {
      if (top < -1 || bottom > floor + 1) found.push(`${name}: ${Math.round(top)} to ${Math.round(bottom)} of ${Math.round(floor)}`);
    };
    // A player who leads has nothing to beat yet.
    if (middle) check('middle', box(middle), near.left < box(middle).right ? near.top : innerHeight);
    for (const one of document.querySelectorAll('#hand .card, .controls button')) check(one.id || one.getAttribute('aria-label'), box(one));
    // Every player's name is visible.
    for (const { clientWidth, scrollWidth, textContent } of document.querySelectorAll('.player .name')) {
      if (clientWidth < Math.min(scrollWidth, 40)) found.push(`${textContent}: ${clientWidth} pixels`);
    }
    return found;
  }, what);
  assert.equal(bad.length, 0, `not in sight: ${bad.join('; ')}`);
}

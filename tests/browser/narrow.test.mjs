// From the smallest phone to a large screen, in every phase of a deal: no card and no button is cut off or covered.

import { test } from 'node:test';
import { screenshot } from './harness.mjs';
import { fits } from './fits.mjs';
import { Person } from './people.mjs';
import { browser, server } from './shared.mjs';

const PHONES = [{ width: 320, height: 568 }, { width: 360, height: 640 }, { width: 390, height: 664 }];
/** A small window on a large screen has keys beside the labels of its buttons, so it is the narrowest of all. */
const SCREENS = [{ width: 1280, height: 800 }, { width: 320, height: 568 }];

/** How many play at most, and what makes a deal as full as it can be. */
const TABLES = {
  holdem: [9, { starting_chips: 1000 }],
  blackjack: [4, {}],
  romme: [4, { first_meld: 0 }],
  bigc: [12, { hand_size: 13 }],
  ongdu: [6, {}],
  blackout: [7, { start: 7, max: 7, end: 7 }],
};

/** How many positions of each kind are looked at, for each person. */
const LOOKS = { asked: 4, waiting: 1, end: 1 };

for (const [game, [most, settings]] of Object.entries(TABLES)) {
  for (const players of [2, most]) {
    test(`${game} with ${players}: every card and every button can be seen and reached`, { timeout: 240_000 }, async () => {
      const [first, second] = players === 2 ? ['de-DE', 'en-US'] : ['en-US', 'de-DE'];
      const phone = await Person.enter(browser, server, { screen: 'phone', viewport: PHONES[0], locale: first, reducedMotion: 'reduce' });
      const window = await Person.enter(browser, server, { locale: second, reducedMotion: 'reduce' });
      const { code } = await phone.make(game, { players, settings });
      await fits(phone.page, PHONES, `${game}, before the match, ${first}`);
      await window.join(code);
      await phone.start();
      const people = [{ person: phone, sizes: PHONES, name: `phone-${first}`, left: { ...LOOKS } }, { person: window, sizes: SCREENS, name: `window-${second}`, left: { ...LOOKS } }];
      while (people.some(({ left }) => left.asked > 0) && !(await phone.over())) await Promise.all(people.map((one) => look(one, `${game}-${players}-${one.name}`)));
      for (const person of [phone, window]) await person.close();
    });
  }
}

/** Looks at the page if there is something new to see, and goes on. */
async function look({ person, sizes, left }, name) {
  const { page } = person;
  const phase = await page.evaluate(() => {
    if (document.getElementById('ending')) return 'end';
    return document.querySelector('#desk.asked') ? 'asked' : document.querySelector('#desk .card') && 'waiting';
  });
  if (left[phase] > 0) {
    left[phase] -= 1;
    await fits(page, sizes, `${name}, ${phase}`);
    if (process.env.FAIRDEAL_SHOTS) await pictures(page, sizes, `${name}-${phase}-${left[phase]}`);
    if (phase === 'asked') await prepare(page);
    await fits(page, sizes, `${name}, ${phase}, something prepared`);
  }
  return phase === 'asked' || phase === 'end' ? person.act() : page.waitForTimeout(50);
}

/** Does what only changes the page: marks cards, chooses places, presses what is no move. */
async function prepare(page) {
  const choices = ['#hand button.card:nth-child(1)', '#hand button.card:nth-child(3)', '#bench [data-place]:nth-child(1)', '.controls button.draft:not([aria-disabled])'];
  for (const choice of choices) {
    const one = page.locator(choice).first();
    if (await one.count()) await one.click({ timeout: 1000, force: true }).catch(() => {});
  }
  await page.waitForTimeout(80);
}

async function pictures(page, sizes, name) {
  for (const viewport of sizes) {
    await page.setViewportSize(viewport);
    await screenshot(page, `${name}-${viewport.width}`);
  }
}

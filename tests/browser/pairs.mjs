// Two people at a table of two, for tests that want a certain thing to happen between them.

import { Person } from './people.mjs';
import { browser, server } from './shared.mjs';

/** Two people at a table of two; `people` says how their browsers are. */
export async function pair(game, { people = {}, ...options } = {}) {
  const [one, two] = await Promise.all([0, 1].map(() => Person.enter(browser, server, { locale: 'en-US', ...people })));
  const { address, code } = await one.make(game, { players: 2, ...options });
  await two.join(code);
  return { one, two, address };
}

export const asked = ({ page }) => page.locator('#desk.asked');

/** The person whose turn it is. */
export async function whoseTurn(people) {
  await Promise.race(people.map((person) => asked(person).waitFor()));
  for (const person of people) if (await asked(person).count()) return person;
  return whoseTurn(people);
}

/** Presses a button of the desk, and waits until the table has moved on. */
export async function press({ page }, key) {
  const height = await page.locator('#desk').getAttribute('data-height');
  await page.locator(`#key-${key}`).click();
  await page.waitForFunction((was) => document.querySelector('#desk').dataset.height !== was || !document.querySelector('#desk.asked'), height);
}

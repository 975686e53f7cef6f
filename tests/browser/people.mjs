// People who do everything through the page: they create a table, sit down, ask for a hint, follow it, and
// continue.

import assert from 'node:assert/strict';
import { open } from './harness.mjs';

/** Matches short enough to be played to their end, by game: the number of players and the settings. */
export const SHORT = {
  holdem: { players: 3, settings: { starting_chips: 300, small_blind: 10, big_blind: 20, hand_limit: 10 } },
  blackjack: { players: 3, settings: { rounds: 2 } },
  romme: { players: 3, settings: { mode: 'rounds', rounds: 1, first_meld: 0 } },
  bigc: { players: 4, settings: { hand_size: 6 } },
  ongdu: { players: 3, settings: { max_rounds: 2 } },
  blackout: { players: 3, settings: { max: 2 } },
};

/** A person with their own browser. */
export class Person {
  static async enter(browser, server, options = {}) {
    const seat = await open(browser, server.url, options);
    return Object.assign(new Person(), seat, { server, keys: options.keys ?? false, acts: 0 });
  }

  /**
   * Creates a table through the form, with a computer in every seat but the first `people`, who may ask for hints.
   * Returns its address and code. `pace` is how fast computers play: 0 is at once, 2 like people.
   */
  async make(game, { players = SHORT[game].players, people = 2, listed = false, settings = {}, pace = 0, hints = 'on' } = {}) {
    const { settings: short } = SHORT[game];
    const { page } = this;
    await page.goto(`${this.server.url}/new/${game}`);
    await page.locator(`#players-${players}`).check({ force: true });
    for (let seat = people; seat < players; seat += 1) await page.locator(`#seat-${seat}`).selectOption('easy');
    for (const details of await page.locator('form details:not([open])').all()) await details.locator('summary').click();
    for (const [name, value] of Object.entries({ ...short, ...settings })) {
      const field = page.locator(`#set-${name}`);
      if (await field.evaluate((one) => one.tagName === 'SELECT')) await field.selectOption(String(value));
      else await field.fill(String(value));
    }
    await page.locator('#pace').selectOption({ index: pace });
    await page.locator('#hints').selectOption(hints);
    if (listed) await page.locator('input[name="listed"][value="yes"]').check();
    await page.locator('form button.main').click();
    await page.waitForURL(/\/tables\//);
    const code = await page.locator('.code').textContent();
    assert.match(code, /^\d{6}$/);
    this.table = page.url();
    return { address: this.table, code };
  }

  /** Joins a table by its code, through the lobby, and sits down. */
  async join(code) {
    const { page } = this;
    await page.goto(this.server.url);
    await page.locator('input[name="code"]').fill(code);
    await page.locator('input[name="code"]').press('Enter');
    await page.waitForURL(/\/tables\//);
    this.table = page.url();
    const sit = page.locator('#felt button.main', { hasText: /Sit down|Hinsetzen/ });
    if (await sit.count()) await sit.first().click();
    await page.locator('#desk, .chair .dim').first().waitFor();
  }

  async start() {
    await this.page.locator('button.start').click();
    await this.page.locator('#middle').waitFor();
  }

  /** Whether the match is over. */
  async over() {
    return (await this.page.locator('#ending .actions a[href$="/replay"]').count()) > 0;
  }

  /** Does what the page asks for: continues after a deal, or plays what a strong player would. */
  async act() {
    const { page } = this;
    const ready = page.locator('#ending button.ready');
    if (await ready.count()) {
      await this.#push(ready);
      return true;
    }
    if (!(await page.locator('#desk.asked').count())) return false;
    const height = await page.locator('#desk').getAttribute('data-height');
    await this.#hint();
    if (this.keys) await page.keyboard.press('Enter');
    else await page.locator('.buttons button.meant').click({ timeout: 2000 }).catch(() => {});
    const sure = page.locator('#confirm[open] .grave');
    if (await sure.count()) await sure.click({ timeout: 2000 }).catch(() => {});
    // If it is their turn again at once, it is at another height.
    await page
      .waitForFunction((was) => document.querySelector('#desk')?.dataset.height !== was || !document.querySelector('#desk.asked'), height, { timeout: 5000 })
      .catch(() => {});
    this.acts += 1;
    return true;
  }

  /** Asks for a hint and takes it. */
  async #hint() {
    const { page } = this;
    if (this.keys) await page.keyboard.press('h');
    else await page.locator('#hint').click({ timeout: 2000 }).catch(() => {});
    const take = page.locator('#dialog[open] button.main');
    try {
      await take.waitFor({ timeout: 2000 });
    } catch {
      return; // Somebody was faster, and it is no longer their turn.
    }
    if (this.keys) await page.keyboard.press('Enter');
    else await take.click();
    // Unless somebody was faster, the prepared move can be pressed.
    await page.locator('.buttons button.meant').waitFor({ timeout: 2000 }).catch(() => {});
  }

  async #push(button) {
    if (!this.keys) return button.click({ timeout: 2000 }).catch(() => {});
    await button.focus({ timeout: 2000 }).catch(() => {});
    return this.page.keyboard.press('Enter');
  }
}

/** Everybody plays until the match is over, for at most so many seconds. `meanwhile` is called before every round with its number. */
export async function playToTheEnd(people, meanwhile = async () => {}, seconds = 150) {
  const late = Date.now() + seconds * 1000;
  for (let round = 0; ; round += 1) {
    if (Date.now() > late) {
      const shown = 'main:not([hidden]), #line:not([hidden]), #toasts, dialog[open]';
      const texts = await Promise.all(people.map(({ page }) => page.locator(shown).allInnerTexts().then((all) => all.join('\n'))));
      assert.fail(`the match does not end:\n${texts.join('\n--------\n')}`);
    }
    const over = await Promise.all(people.map((person) => person.over()));
    if (over.every(Boolean)) return;
    await meanwhile(round);
    const acted = await Promise.all(people.map((person) => person.act()));
    if (!acted.some(Boolean)) await people[0].page.waitForTimeout(50);
  }
}

/** A page that is no wider than the screen. */
export async function noSidewaysScroll(page) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(over <= 1, `the page is ${over} pixels too wide`);
  // Content that is too wide can be scrolled, also by keyboard.
  const stuck = await page.evaluate(() => [...document.querySelectorAll('table')].filter((table) => {
    const around = table.parentElement, wide = table.getBoundingClientRect().right > around.getBoundingClientRect().right + 1;
    return wide && !(getComputedStyle(around).overflowX === 'auto' && (around.tabIndex === 0 || around.querySelector('a')));
  }).length);
  assert.equal(stuck, 0, 'a table is cut off');
}

/** The page checks the record and finds nothing wrong; returns what it says. */
export async function verified(page) {
  const dialog = page.locator('#dialog[open]');
  // A click meant for the last move can land on the button that has just come to the same place.
  if (!(await dialog.locator('ul.checks').count())) await page.locator('#ending [data-verify]').click();
  await dialog.locator('ul.checks li').first().waitFor();
  assert.match(await dialog.locator('h2').textContent(), /Everything that can be checked is correct|Alles, was sich prüfen lässt, stimmt/);
  assert.equal(await dialog.evaluate((one) => one.scrollTop), 0, 'it starts at the top');
  assert.equal(await dialog.locator('.checks .bad').count(), 0);
  assert.ok((await dialog.locator('.checks li.good').count()) > 0);
  // One verdict for each deal, and one sentence about what cannot be checked: for all of them, or for each.
  const forAll = await dialog.locator('> p.open').count();
  for (const deal of await dialog.locator('ul.checks > li').all()) {
    assert.deepEqual([await deal.locator('> strong').count(), forAll + (await deal.locator('> p.open').count())], [1, 1]);
    assert.match(await deal.locator('> strong').textContent(), /^[✓·] (Deal|Spiel) \d+: /);
  }
  assert.equal(await page.locator('#alarm').isVisible(), false, 'nothing is wrong with the house');
  const said = await dialog.locator('ul.checks li').allTextContents();
  for (const text of said) assert.doesNotMatch(text, /deck \d|Stapel \d|\b1 (face-up cards|players|seeds|offene Karten|Startwerte)|undefined/, 'in words');
  await dialog.locator('button').click();
  return said;
}

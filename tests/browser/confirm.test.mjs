// What cannot be taken back is asked first, in a dialog that keys work in and that an update of the page does not wipe.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axe } from './harness.mjs';
import { asked, pair, press, whoseTurn } from './pairs.mjs';

const question = ({ page }) => page.locator('#confirm[open]');
const folded = ({ page }) => page.locator('#log li', { hasText: 'folds' }).count();

test('a player who can check for free is asked before folding', { timeout: 60_000 }, async () => {
  const { one, two } = await pair('holdem');
  await one.start();
  const first = await whoseTurn([one, two]);
  await press(first, 'c');
  const person = await whoseTurn([one, two]);
  const { page } = person;
  await page.locator('#key-c', { hasText: 'Check' }).waitFor();

  await page.locator('body').press('f');
  await question(person).getByText('You can check for free. Fold anyway?').waitFor();
  await axe(page);
  assert.ok(await page.evaluate(() => document.activeElement.textContent === 'Go back'), 'the harmless answer has the focus');
  // What others say arrives meanwhile, and the question stays.
  const other = person === one ? two : one;
  await other.page.locator('#say input').fill('take your time');
  await other.page.locator('#say button').click();
  await page.locator('#talk li', { hasText: 'take your time' }).waitFor();
  assert.equal(await question(person).count(), 1);
  await page.keyboard.press('f');
  await page.keyboard.press('Escape');
  await question(person).waitFor({ state: 'detached' });
  await page.locator('#key-f').click();
  await page.keyboard.press('Enter');
  await question(person).waitFor({ state: 'detached' });
  assert.equal(await folded(person), 0, 'nobody has folded');
  assert.equal(await asked(person).count(), 1);

  await page.locator('body').press('f');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('#log li', { hasText: 'folds' }).waitFor();
  for (const each of [one, two]) await each.close();
});

test('a player who faces a bet folds without a question', { timeout: 60_000 }, async () => {
  const { one, two } = await pair('holdem');
  await one.start();
  const person = await whoseTurn([one, two]);
  await person.page.locator('body').press('f');
  await person.page.locator('#log li', { hasText: 'folds' }).waitFor();
  for (const each of [one, two]) await each.close();
});

test('a question goes when the table has gone on without an answer', { timeout: 60_000 }, async () => {
  const { one, two } = await pair('holdem');
  await one.start();
  await press(await whoseTurn([one, two]), 'c');
  const person = await whoseTurn([one, two]);
  const other = person === one ? two : one;
  await person.page.locator('body').press('f');
  await question(person).waitFor();
  await other.page.locator('#leave button').click();
  await question(other).locator('.grave').click();
  await question(person).waitFor({ state: 'detached' });
  assert.equal(await folded(person), 0);
  for (const each of [one, two]) await each.close();
});

test('leaving says what it costs, and can be thought better of', { timeout: 60_000 }, async () => {
  for (const [on_leave, fate] of [['default_actions', 'your seat stays empty'], ['bot', 'a computer plays on in your seat']]) {
    const { one, two } = await pair('holdem', { settings: { on_leave } });
    const leave = two.page.locator('#leave button');
    await leave.waitFor();
    assert.equal(await leave.getAttribute('data-sure'), null, 'before the match nothing is lost');
    await one.start();
    await two.page.locator('#middle').waitFor();
    await leave.click();
    await question(two).getByText(fate).waitFor();
    await question(two).getByText("If you leave, you won't be in the rematch.").waitFor();
    await axe(two.page);
    await two.page.keyboard.press('Escape');
    await two.page.locator('#leave button').waitFor();
    await leave.click();
    await question(two).getByRole('button', { name: 'Leave the table' }).click();
    await two.page.getByText('You are watching.').waitFor();
    for (const each of [one, two]) await each.close();
  }
});

test('giving up a match of Blackjack is asked first', { timeout: 60_000 }, async () => {
  const { one, two } = await pair('blackjack');
  await one.start();
  for (const person of [one, two]) {
    await asked(person).waitFor();
    await press(person, 'b');
  }
  const person = await whoseTurn([one, two]);
  // With a natural there is nothing to decide.
  if (await person.page.locator('#key-u').count()) {
    await person.page.locator('#key-u').click();
    await question(person).getByText('If you surrender, you lose the whole match.').waitFor();
    await question(person).getByRole('button', { name: 'Surrender' }).click();
    await person.page.locator('#log li', { hasText: 'surrenders the match' }).waitFor();
  }
  for (const each of [one, two]) await each.close();
});

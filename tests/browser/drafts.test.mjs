// Drafts survive a reload, and belong to the player who made them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Line } from './harness.mjs';
import { asked, pair, press, whoseTurn } from './pairs.mjs';
import { Person } from './people.mjs';
import { browser, server } from './shared.mjs';

test('the arrangement of Ongdu survives a reload and a lost connection', { timeout: 60_000 }, async () => {
  const [one, two] = await Promise.all([0, 1].map(() => Person.enter(browser, server, { locale: 'en-US' })));
  const line = await Line.of(one.page);
  const { code } = await one.make('ongdu', { players: 2 });
  await two.join(code);
  await one.start();
  const { page } = one;
  const arranging = page.locator('#bench .layers:not(.open)');
  while (!(await arranging.count())) {
    await Promise.all([one, two].map(async (person) => ((await person.page.locator('#key-d').count()) ? person.act() : null)));
    await page.waitForTimeout(50);
  }
  const lies = () => page.locator('#bench [data-place]').evaluateAll((all) => all.map((spot) => spot.dataset.slot ?? null));
  for (const place of [8, 4]) {
    await page.locator('#hand button.card').first().click();
    await page.locator(`#bench [data-place="${place}"]`).click();
    await page.locator(`#bench [data-place="${place}"][data-slot]`).waitFor();
  }
  await page.locator('#hand button.card').nth(2).click();
  await page.locator('#hand button.card[aria-pressed="true"]').waitFor();
  const [before, marked] = [await lies(), await page.locator('#hand [aria-pressed="true"]').getAttribute('data-slot')];
  assert.equal(before.filter(Boolean).length, 2);

  const same = async () => {
    await page.locator('#bench [data-place="8"][data-slot]').waitFor();
    await page.locator('#hand [aria-pressed="true"]').waitFor();
    assert.deepEqual(await lies(), before);
    assert.equal(await page.locator('#hand [aria-pressed="true"]').getAttribute('data-slot'), marked);
  };
  await page.reload();
  await same();
  await line.drop(page);
  await same();

  // Somebody else who uses this tab starts with nothing, though it is the same table and the same deal.
  const kept = await page.evaluate(() => sessionStorage.getItem('draft'));
  await page.evaluate((text) => sessionStorage.setItem('draft', JSON.stringify({ ...JSON.parse(text), player: 'somebody else' })), kept);
  await page.reload();
  await asked(one).waitFor();
  await page.waitForTimeout(300);
  assert.equal((await lies()).filter(Boolean).length, 0);
  for (const person of [one, two]) await person.close();
});

test('the bid of Blackout survives a reload, but not the decision it was made for', { timeout: 60_000 }, async () => {
  const { one, two } = await pair('blackout', { settings: { start: 3, max: 3, end: 3 } });
  await one.start();
  const first = await whoseTurn([one, two]);
  await first.page.locator('#bench [data-place="2"]').click();
  await first.page.locator('#bench [data-place="2"][aria-pressed="true"]').waitFor();
  await first.page.reload();
  await first.page.locator('#bench [data-place="2"][aria-pressed="true"]').waitFor();
  await first.page.locator('#key-b', { hasText: 'Bid 2' }).waitFor();
  await press(first, 'b');
  const second = await whoseTurn([one, two]);
  await second.page.reload();
  await asked(second).waitFor();
  assert.equal(await second.page.locator('#bench [aria-pressed="true"]').count(), 0);
  for (const person of [one, two]) await person.close();
});

test('an amount and marked cards survive a reload', { timeout: 60_000 }, async () => {
  const { one, two } = await pair('holdem', { settings: { starting_chips: 1000 } });
  await one.start();
  const { page } = await whoseTurn([one, two]);
  await page.locator('#number').fill('137');
  await page.locator('#key-r', { hasText: 'Raise to 137' }).waitFor();
  await page.reload();
  await page.locator('#key-r', { hasText: 'Raise to 137' }).waitFor();
  assert.equal(await page.locator('#number').inputValue(), '137');
  for (const person of [one, two]) await person.close();

  const romme = await pair('romme');
  await romme.one.start();
  const player = await whoseTurn([romme.one, romme.two]);
  await player.page.locator('#hand button.card').nth(4).click();
  await player.page.locator('#hand button.card[aria-pressed="true"]').waitFor();
  await player.page.reload();
  await player.page.locator('#hand button.card[aria-pressed="true"]').waitFor();
  assert.equal(await player.page.locator('#hand button.card[aria-pressed="true"]').count(), 1);
  for (const person of [romme.one, romme.two]) await person.close();
});

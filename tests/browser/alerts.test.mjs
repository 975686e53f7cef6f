// A turn in a background tab is announced: in the title, by a sound, and by a notification if the player wants it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axe } from './harness.mjs';
import { asked, pair, press, whoseTurn } from './pairs.mjs';

/** Notes what a page would play and show, and lets the test say whether it is looked at. */
function note() {
  globalThis.noted = [];
  globalThis.away = false;
  Object.defineProperty(document, 'hidden', { get: () => globalThis.away });
  const audio = { createOscillator: () => globalThis.noted.push('sound') && ({ frequency: {}, connect: (next) => next, start() {}, stop() {} }), createGain: () => ({ gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: (next) => next }), destination: {}, currentTime: 0 };
  globalThis.AudioContext = function AudioContext() { return audio; };
  let permission = 'default';
  globalThis.Notification = class {
    static get permission() { return permission; }
    static async requestPermission() { globalThis.noted.push('asked'); permission = 'granted'; return permission; }
    constructor(title) { globalThis.noted.push(title); }
    close() { globalThis.noted.push('closed'); }
  };
}

const noted = ({ page }) => page.evaluate(() => globalThis.noted);

test('a turn that begins in a background tab is announced', { timeout: 60_000 }, async () => {
  const { one, two } = await pair('holdem');
  for (const { context, page } of [one, two]) {
    await context.addInitScript(note);
    await page.reload();
    await page.locator('#felt').waitFor();
  }
  await one.start();
  const first = await whoseTurn([one, two]);
  const second = first === one ? two : one;
  assert.match(await first.page.title(), /^● Your turn – /);
  assert.doesNotMatch(await second.page.title(), /●/);

  // Nobody is asked for permission who has not asked for notifications.
  assert.ok(!(await noted(second)).includes('asked'));
  const button = second.page.locator('#notify');
  await button.click();
  await button.filter({ hasText: "You are notified when it's your turn" }).waitFor();
  assert.ok((await noted(second)).includes('asked'));
  await axe(second.page);

  await second.page.evaluate(() => { globalThis.away = true; globalThis.noted = []; });
  await press(first, 'c');
  await asked(second).waitFor({ state: 'attached' });
  await second.page.waitForFunction(() => document.title.startsWith('● Your turn – '));
  assert.deepEqual((await noted(second)).sort(), ['sound', 'sound', "● Your turn – Texas Hold'em"]);
  await second.page.evaluate(() => { globalThis.away = false; document.dispatchEvent(new Event('visibilitychange')); });
  assert.ok((await noted(second)).includes('closed'), 'a player who looks needs no notification');
  for (const person of [one, two]) await person.close();
});

test('without sounds and notifications there is only the title', { timeout: 60_000 }, async () => {
  const { one, two } = await pair('holdem');
  for (const { context, page } of [one, two]) {
    await context.addInitScript(note);
    await page.reload();
    await page.locator('#felt').waitFor();
    await page.evaluate(() => document.documentElement.classList.add('mute'));
  }
  await one.start();
  const first = await whoseTurn([one, two]);
  const second = first === one ? two : one;
  await second.page.locator('#notify').click();
  await second.page.locator('#notify[aria-pressed="true"]').click();
  await second.page.locator('#notify[aria-pressed="false"]').waitFor();
  await second.page.evaluate(() => { globalThis.away = true; globalThis.noted = []; });
  await press(first, 'c');
  await second.page.waitForFunction(() => document.title.startsWith('● '));
  assert.deepEqual(await noted(second), []);
  for (const person of [one, two]) await person.close();
});

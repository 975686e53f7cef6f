// Whether everything that somebody holds or can press is really there: on the screen, whole, and not below anything else.

import assert from 'node:assert/strict';
import { noSidewaysScroll } from './people.mjs';

const OWN = '#hand .card, #bench .card, #bench button, .controls button, .controls input, #change, #middle button, #ending .actions :is(button, a), .gathering :is(button, a), #side button';

/** What of a page cannot be seen or reached, in words. */
export async function hiddenFrom(page) {
  return page.evaluate((selector) => {
    const found = [];
    const name = (one) => `${one.id || one.textContent.trim() || one.getAttribute('aria-label')} (${one.className})`;
    const around = (one) => { const all = []; for (let at = one.parentElement; at; at = at.parentElement) all.push(at); return all; };
    for (const one of document.querySelectorAll(selector)) {
      if (one.getAttribute('aria-disabled') === 'true' || !one.checkVisibility()) continue;
      // Its own strip may be moved to it, as the keyboard and a finger do.
      one.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
      const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
      const bad = (what) => found.push(`${name(one)} ${what}: ${[left, right, top, bottom].map(Math.round)} of ${innerWidth} × ${innerHeight}`);
      if (width < 8 || height < 8) bad('is too small');
      if (left < -1 || right > document.documentElement.clientWidth + 1) bad('is beside the screen');
      if (top < -1 || bottom > innerHeight + 1) bad('is above or below the screen');
      if (one.tagName === 'BUTTON' && one.scrollWidth > one.clientWidth + 1) bad('has no room for its text');
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      if (!hit || !(one.contains(hit) || hit.contains(one))) bad(`is covered by ${hit && name(hit)}`);
      for (const frame of around(one)) {
        const style = getComputedStyle(frame), box = frame.getBoundingClientRect();
        if (style.overflowX !== 'visible' && (left < box.left - 1 || right > box.right + 1)) bad(`is cut off sideways by ${name(frame).slice(-40)}`);
        if (style.overflowY !== 'visible' && (top < box.top - 1 || bottom > box.bottom + 1)) bad(`is cut off by ${name(frame).slice(-40)}`);
      }
    }
    for (const one of document.querySelectorAll('#desk, .holds, .controls, .amount, #felt')) {
      if (one.scrollWidth > one.clientWidth + 1) found.push(`${name(one).slice(-40)} is ${one.scrollWidth - one.clientWidth} pixels too wide`);
    }
    scrollTo({ top: 0, behavior: 'instant' });
    return found;
  }, OWN);
}

/** Fails if anything cannot be seen or reached at one of these sizes. */
export async function fits(page, sizes, where) {
  for (const viewport of sizes) {
    await page.setViewportSize(viewport);
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    const hidden = await hiddenFrom(page);
    assert.deepEqual(hidden, [], `${where} at ${viewport.width} × ${viewport.height}`);
    await noSidewaysScroll(page);
  }
}

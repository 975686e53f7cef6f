// People at a private table who play by the buttons on their page: simply, but to the end.

import { open } from './harness.mjs';

/** Moves in the order in which they are liked: to stand rather than hit, to check or call rather than raise. */
const LIKED = 'sbcmpdxr';
/** Buttons that prepare a move: to arrange, to find melds, to step to the next hand that can be played. */
const PREPARE = 'afn';

export class Guest {
  static async enter(browser, server, options = {}) {
    return Object.assign(new Guest(), await open(browser, server.url, options), { acts: 0 });
  }

  /** Whether the match is over, and everybody has signed. */
  async over() {
    return (await this.page.locator('body.ended').count()) > 0;
  }

  /** Does what the page asks for, if it asks for something. */
  async act() {
    const { page } = this;
    const ready = page.locator('#ending button.ready');
    if (await ready.count()) {
      await ready.click({ timeout: 2000 }).catch(() => {});
      return true;
    }
    if (!(await page.locator('#desk.asked').count())) return false;
    const height = await page.locator('#desk').getAttribute('data-height');
    for (let prepared = ''; ; ) {
      // Somebody's time may be up meanwhile.
      if (height !== (await page.locator('#desk').getAttribute('data-height'))) return true;
      const step = await page.evaluate(([liked, prepare, done]) => {
        const keys = (kind) => [...document.querySelectorAll(`.buttons button.${kind}[data-key]`)].map((one) => one.dataset.key);
        const by = (order, keys) => [...order].find((key) => keys.includes(key));
        const [main, draft, grave] = ['main', 'draft', 'grave'].map(keys);
        if (by(liked, main)) return { move: by(liked, main) };
        if (document.querySelector('.bids [data-place]:not([aria-pressed=true])')) return { prepare: '.bids [data-place]' };
        const next = [...prepare].find((key) => draft.includes(key) && !done.includes(key));
        if (next) return { prepare: `#key-${next}`, key: next };
        const cards = document.querySelectorAll('#hand button.card:not(.unusable):not([aria-pressed=true])');
        if (cards.length && done.length < 12) return { prepare: `#hand button.card[data-slot="${cards[Math.floor(Math.random() * cards.length)].dataset.slot}"]`, key: '.' };
        return { move: by(liked, grave) ?? grave[0] };
      }, [LIKED, PREPARE, prepared]);
      const button = page.locator(step.move ? `#key-${step.move}` : step.prepare).first();
      const before = await page.locator('#desk').getAttribute('data-draft');
      await button.click({ timeout: 2000 }).catch(() => {});
      if (step.move) {
        const sure = page.locator('#confirm[open] .grave');
        if (await sure.count()) await sure.click({ timeout: 2000 }).catch(() => {});
        break;
      }
      prepared += step.key ?? '';
      const changed = ([was, at]) => document.querySelector('#desk')?.dataset.draft !== was || document.querySelector('#desk')?.dataset.height !== at;
      await page.waitForFunction(changed, [before, height], { timeout: 1000 }).catch(() => {});
    }
    this.acts += 1;
    const moved = (was) => document.querySelector('#desk')?.dataset.height !== was || !document.querySelector('#desk.asked');
    await page.waitForFunction(moved, height, { timeout: 5000 }).catch(() => {});
    return true;
  }
}

// The page's controls in real use: with a mouse, and with the keyboard alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Line, axe, open, until } from './harness.mjs';
import { asked, pair, press, whoseTurn } from './pairs.mjs';
import { Person, verified } from './people.mjs';
import { browser, server } from './shared.mjs';

test('the slider chooses an amount in steps, up to the last chip', { timeout: 60_000 }, async () => {
  const { one, two } = await pair('holdem', { settings: { starting_chips: 1015, small_blind: 10, big_blind: 20 } });
  await one.start();
  const player = await whoseTurn([one, two]);
  const { page } = player;
  const slider = page.locator('#amount');
  const number = page.locator('#number');
  const raise = page.locator('#key-r');
  assert.equal(await slider.inputValue(), '40');
  await slider.press('ArrowRight');
  assert.equal(await number.inputValue(), '60');
  await raise.filter({ hasText: 'Raise to 60' }).waitFor();
  const clickAt = async (part) => {
    const { x, y, width, height } = await slider.boundingBox();
    await page.mouse.click(x + 2 + (width - 4) * part, y + height / 2);
    await raise.filter({ hasText: new RegExp(`^(Raise to|All-in) ${await slider.inputValue()}`) }).waitFor();
    return Number(await slider.inputValue());
  };
  const middle = await clickAt(0.52);
  assert.ok(middle > 400 && middle < 700 && middle % 20 === 0, `dragging gives round amounts: ${middle}`);
  assert.equal(await clickAt(1), 1015, 'and all of it');
  assert.match(await raise.getAttribute('class'), /grave/, 'going all-in must not happen by accident');
  await page.locator('#key-b').click();
  await raise.filter({ hasText: 'Raise to 40' }).waitFor();
  await page.locator('#key-a').click();
  await raise.filter({ hasText: 'All-in 1015' }).waitFor();
  await number.fill('77');
  await raise.filter({ hasText: 'Raise to 77' }).waitFor();
  assert.equal(await slider.inputValue(), '77', 'a typed amount is taken as it is');
  for (const [typed, counts] of [['99999', '1015'], ['', '1015'], ['1', '40'], ['77', '77']]) {
    await number.fill(typed);
    await page.locator('#hint').focus();
    assert.equal(await number.inputValue(), counts, `after ${typed || 'nothing'} the field shows the amount that counts`);
    await raise.filter({ hasText: new RegExp(`^(Raise to|All-in) ${counts}`) }).waitFor();
    assert.equal(await number.inputValue(), counts);
  }
  assert.match(await raise.getAttribute('class'), /main/);
  assert.match(await page.locator('#key-b').getAttribute('class'), /draft/, 'setting the amount is not a move');
  await press(player, 'r');
  await page.locator('#log li', { hasText: 'raises to 77' }).waitFor();

  // The time is shown in seconds, read aloud only on request, and counts down on its own.
  const { page: other } = player === one ? two : one;
  const timer = other.locator('#clock [role=timer]');
  assert.equal(await timer.getAttribute('aria-live'), 'off');
  await other.locator('#desk.asked').waitFor();
  await other.clock.install();
  await other.reload();
  await timer.filter({ hasText: /^(2\d|30) s$/ }).waitFor();
  assert.equal(await other.locator('#clock.short').count(), 0);
  // Whatever the server says meanwhile sets the clock right again, since no time has passed there.
  let seen = { short: false };
  for (let tries = 0; !seen.short && tries < 5; tries += 1) {
    await other.clock.fastForward(21_000);
    seen = await other.locator('#clock').evaluate((clock) => ({ short: clock.classList.contains('short'), text: clock.querySelector('[role=timer]').textContent }));
  }
  assert.ok(seen.short);
  assert.match(seen.text, /^(\d|10) s$/);
  for (const person of [one, two]) await person.close();
});

test('the move prepared last is made, however late the server answers', { timeout: 60_000 }, async () => {
  const [one, two] = await Promise.all([0, 1].map(() => Person.enter(browser, server, { locale: 'en-US' })));
  const lines = await Promise.all([one, two].map(({ page }) => Line.of(page)));
  const { code } = await one.make('holdem', { players: 2, settings: { starting_chips: 1000 } });
  await two.join(code);
  await one.start();
  const player = await whoseTurn([one, two]);
  const line = lines[player === one ? 0 : 1];
  const { page } = player;
  const arrived = (count) => until(() => line.held() >= count);
  line.hold();
  await page.locator('#number').fill('100');
  await page.locator('#number').fill('200');
  await page.locator('#hint').focus();
  await arrived(2);
  line.release(1);
  await page.locator('#key-r', { hasText: 'Raise to 100' }).waitFor();
  assert.equal(await page.locator('#number').inputValue(), '200');
  await page.locator('#key-r').click();
  line.release();
  await page.locator('#log li', { hasText: 'raises to 200' }).waitFor();
  for (const person of [one, two]) await person.close();
});

/** Takes a hint that names this button. */
async function hinted({ page }, key) {
  await page.evaluate((wanted) => (globalThis.wanted = wanted), key);
  await page.locator('#hint').focus();
  await page.keyboard.press('Enter');
  await page.locator('#dialog[open] button.main').waitFor();
  await page.keyboard.press('Enter');
  await page.locator(`.buttons .meant#key-${key}`).waitFor();
}

test('Enter makes the move that a hint has prepared, and nothing else', { timeout: 60_000 }, async () => {
  const [one, two] = await Promise.all([0, 1].map(() => Person.enter(browser, server, { locale: 'en-US' })));
  // No matter what a strong player would do, the hint names the button that the test wants.
  for (const { page } of [one, two]) {
    await page.routeWebSocket(/\/tables\/.*\/socket/, (socket) => {
      const line = socket.connectToServer();
      line.onMessage(async (text) => {
        const message = JSON.parse(text);
        if (message.hint) message.hint.key = await page.evaluate(() => globalThis.wanted);
        socket.send(JSON.stringify(message));
      });
    });
  }
  const { code } = await one.make('holdem', { players: 2 });
  await two.join(code);
  await one.start();
  const person = await whoseTurn([one, two]);
  const { page } = person;
  const height = await page.locator('#desk').getAttribute('data-height');

  // Nothing is prepared, and both a call and a raise are possible: Enter could mean either.
  await page.locator('body').press('Enter');
  await page.keyboard.press('Enter');
  await hinted(person, 'c');
  assert.equal(await page.locator('#desk').getAttribute('data-height'), height, 'Enter alone did nothing');
  assert.equal(await page.locator('.buttons .meant').count(), 1);
  await axe(page);

  // Changing a prepared move means that something else is wanted.
  await page.locator('#key-b').click();
  await page.waitForFunction(() => !document.querySelector('.meant') && !document.querySelector('.pointing'));

  await hinted(person, 'f');
  assert.ok(await page.evaluate(() => document.activeElement.id === 'key-f'), 'the prepared move has the focus');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('Enter');
  await page.locator('#log li', { hasText: 'folds' }).waitFor();
  for (const each of [one, two]) await each.close();
});

test('players can be muted and unmuted, and a seated player can leave', { timeout: 60_000 }, async () => {
  const { one, two } = await pair('holdem');
  const said = two.page.locator('#talk li', { hasText: 'good luck' });
  await one.page.locator('#say input').fill('good luck');
  await one.page.locator('#say button').click();
  await said.waitFor();
  assert.equal(await one.page.locator('#talk .mute:visible').count(), 0, 'nobody can mute themselves');
  await two.page.locator('#talk .mute').click();
  await said.waitFor({ state: 'hidden' });
  await two.page.reload();
  const again = two.page.locator('#muted button');
  await again.waitFor();
  assert.ok(!(await said.isVisible()), 'it lasts');
  await axe(two.page);
  await again.click();
  await said.waitFor();
  assert.ok(!(await again.isVisible()));

  // They came as a guest and sat down later, so the page now has a way to leave.
  const leave = two.page.locator('#leave');
  const watcher = await open(browser, server.url);
  await watcher.page.goto(one.table);
  assert.equal(await watcher.page.locator('#leave button').count(), 0);
  await one.start();
  await leave.locator('button').click();
  await two.page.locator('#confirm[open] .grave').click();
  await two.page.getByText('You are watching.').waitFor();
  assert.equal(await leave.locator('button').count(), 0);
  for (const person of [one, two, watcher]) await person.close();
});

test('unread chat is counted at the top of the page', { timeout: 60_000 }, async () => {
  const phone = await Person.enter(browser, server, { screen: 'phone', viewport: { width: 390, height: 664 }, locale: 'en-US' });
  const other = await Person.enter(browser, server, { locale: 'en-US' });
  const { code } = await other.make('holdem', { players: 2 });
  await phone.join(code);
  await other.start();
  await phone.page.locator('#middle').waitFor();
  const badge = phone.page.locator('#unread');
  // Below the screen or folded away, the chat is not visible.
  await phone.page.locator('details:has(#talk) > summary').click();
  await phone.page.evaluate(() => scrollTo(0, 0));
  assert.ok(!(await badge.isVisible()));
  for (const text of ['hello', 'are you there']) {
    await other.page.locator('#say input').fill(text);
    await other.page.locator('#say button').click();
    await other.page.locator('#talk li', { hasText: text }).waitFor();
  }
  await badge.filter({ hasText: 'Chat 2' }).waitFor();
  assert.equal(await phone.page.locator('#talk .mute:not([hidden])').count(), 1, 'one way to mute is enough for one person');
  assert.ok(!(await other.page.locator('#unread').isVisible()), 'neither visible nor own messages count as unread');
  await axe(phone.page);
  await badge.click();
  await phone.page.locator('#say').waitFor();
  await badge.waitFor({ state: 'hidden' });
  assert.ok(await phone.page.evaluate(() => document.getElementById('say').getBoundingClientRect().bottom <= innerHeight));
  for (const person of [phone, other]) await person.close();
});

test('an invitation is copied, and shared if the browser can', { timeout: 60_000 }, async () => {
  const host = await Person.enter(browser, server, { locale: 'en-US', permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = host;
  await host.make('holdem', { players: 2 });
  const link = `${server.url}${new URL(page.url()).pathname}`;
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.locator('.toast', { hasText: 'The link is copied.' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
  // Pages without https have no clipboard.
  await page.evaluate(() => navigator.clipboard.writeText('something else'));
  await page.evaluate(() => (navigator.clipboard.writeText = () => Promise.reject(new Error('no'))));
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.locator('.toast', { hasText: 'The link is copied.' }).nth(1).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);

  const share = page.locator('[data-share]');
  assert.equal(await share.isVisible(), await page.evaluate(() => document.body.classList.contains('shares')));
  await page.addInitScript(() => (Navigator.prototype.share = async (what) => { globalThis.shared = what; }));
  await page.reload();
  await share.click();
  assert.equal(await page.evaluate(() => globalThis.shared.url), link);
  await axe(page);
  await host.close();
});

test('cards are placed and swapped with the mouse', { timeout: 60_000 }, async () => {
  const { one, two } = await pair('ongdu');
  await one.start();
  const { page } = one;
  await asked(one).waitFor();
  const lies = async (place) => (await page.locator(`#bench [data-place="${place}"]`).getAttribute('data-slot')) ?? null;
  const lay = async (place) => {
    const card = page.locator('#hand button.card').first();
    const slot = await card.getAttribute('data-slot');
    await card.click();
    await page.locator(`#bench [data-place="${place}"]`).click();
    await page.locator(`#bench [data-place="${place}"][data-slot="${slot}"]`).waitFor();
    return slot;
  };
  const [first, second] = [await lay(0), await lay(8)];
  await page.locator('#bench [data-place="0"]').click();
  await page.locator('#bench [data-place="8"]').click();
  await page.locator(`#bench [data-place="0"][data-slot="${second}"]`).waitFor();
  assert.equal(await lies(8), first, 'they were swapped');
  await page.locator('#key-x').click();
  await page.waitForFunction(() => document.querySelectorAll('#bench [data-slot]').length === 0);
  assert.match(await page.locator('#key-c').getAttribute('aria-disabled'), /true/);
  await page.locator('#key-a').click();
  await page.locator('#key-c:not([aria-disabled])').click();
  await page.locator('#desk:not(.asked)').waitFor();

  // A confirmed arrangement stays visible, and can be changed until the other player has confirmed.
  const laid = () => page.locator('#bench [data-slot]').evaluateAll((cards) => cards.map((card) => card.dataset.slot));
  const confirmed = await laid();
  assert.equal(confirmed.length, 9);
  await page.locator('#says', { hasText: 'You have confirmed' }).waitFor();
  await page.locator('#change').click();
  // Cards can be moved once the page says that they can.
  await page.locator('#change', { hasText: 'Keep it as it is' }).waitFor();
  await page.locator('#bench [data-place="0"]').click();
  await page.locator('#bench [data-place="1"]').click();
  await page.locator(`#bench [data-place="0"][data-slot="${confirmed[1]}"]`).waitFor();
  await page.locator('#key-c:not([aria-disabled])').click();
  await page.locator('#says', { hasText: 'You have confirmed' }).waitFor();
  assert.deepEqual((await laid()).slice(0, 2), [confirmed[1], confirmed[0]]);
  await page.locator('#change').click();
  await page.locator('#change', { hasText: 'Keep it as it is' }).click();
  await page.locator('#says', { hasText: 'You have confirmed' }).waitFor();
  for (const person of [one, two]) await person.close();
});

test('the page makes a move that leaves no choice', { timeout: 60_000 }, async () => {
  const { one, two } = await pair('blackjack');
  await one.start();
  for (const person of [one, two]) {
    await asked(person).waitFor();
    await press(person, 'b');
  }
  const player = await whoseTurn([one, two]);
  const { page } = player;
  const forced = page.locator('.buttons [data-forced]');
  // A player who keeps hitting ends with 21, or busts.
  while (!(await forced.count())) await press(player, 'c');
  assert.deepEqual(await page.locator('.buttons button').evaluateAll((buttons) => buttons.map((button) => button.dataset.forced)), ['']);
  await page.locator('#log li', { hasText: /(stands|busts)$/ }).waitFor();
  for (const person of [one, two]) await person.close();
});

test('a match is played with the mouse, verified, replayed and followed by another', { timeout: 90_000 }, async () => {
  const { one, two, address } = await pair('blackout', { settings: { start: 1, max: 1, end: 1 } });
  const watcher = await open(browser, server.url, { locale: 'en-US' });
  await watcher.page.goto(address);
  await one.start();
  while (!(await one.over())) {
    const person = await whoseTurn([one, two]);
    const { page } = person;
    const bid = page.locator('.bid[data-place]').first();
    const bidding = (await bid.count()) > 0;
    if (bidding) await bid.click();
    else await page.locator('#hand button.card:not(.unusable)').first().click();
    await page.locator(`#key-${bidding ? 'b' : 'p'}:not([aria-disabled])`).waitFor();
    await press(person, bidding ? 'b' : 'p');
    await Promise.race([...[one, two].map((other) => asked(other).waitFor()), one.page.locator('#ending').waitFor()]);
  }
  for (const { page } of [one, two]) {
    assert.ok((await verified(page)).some((text) => /✓ Deal 1: .*✓ the cards: your card is the one that was fixed/s.test(text)), 'their own cards are checked after the deal');
  }

  // One player asks for a rematch: they move to the new table, and nobody else is pulled along.
  await one.page.locator('#ending form button').click();
  await one.page.waitForURL((url) => /\/tables\//.test(url.pathname) && url.href !== address);
  const next = one.page.url();
  for (const { page } of [two, watcher]) {
    await page.locator('#next', { hasText: 'wants to play again.' }).waitFor();
    assert.equal(page.url(), address);
  }
  await axe(two.page);
  await verified(two.page);
  await two.page.reload();
  const invitation = two.page.locator('#next a');
  await two.page.waitForFunction(() => document.getElementById('clock').hidden && !document.body.classList.contains('offline'));
  await two.page.locator('#muted').waitFor({ state: 'attached' });
  assert.equal(two.page.url(), address, 'the old table stays open');
  await invitation.click();
  await two.page.waitForURL(next);
  await two.page.locator('.chair', { hasText: '· you' }).waitFor();

  // The match is replayed step by step.
  await one.page.goto(`${address}/replay`);
  const step = one.page.locator('#reel p');
  const first = await step.textContent();
  assert.match(first, /Step 1 of/);
  await one.page.locator('#reel a[data-key="ArrowRight"]').click();
  await step.filter({ hasText: 'Step 2 of' }).waitFor();
  await one.page.keyboard.press('ArrowRight');
  await step.filter({ hasText: 'Step 3 of' }).waitFor();
  await one.page.keyboard.press('Home');
  await step.filter({ hasText: 'Step 1 of' }).waitFor();
  for (const person of [one, two, watcher]) await person.close();
});

test('a table is created, filled, started and played with the keyboard alone', { timeout: 90_000 }, async () => {
  const person = await Person.enter(browser, server, { locale: 'en-US' });
  const { page } = person;
  const { keyboard } = page;
  /** Presses Tab until something of this kind has the focus. */
  const reach = async (selector, way = 'Tab') => {
    for (let i = 0; i < 120; i += 1) {
      await keyboard.press(way);
      if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
    }
    assert.fail(`${selector} cannot be reached by ${way} at ${page.url()}`);
  };
  await page.goto(server.url);
  await reach('a[href="/new/blackout"]');
  await keyboard.press('Enter');
  await page.waitForURL(/new\/blackout/);
  await reach('input[name="players"]');
  while (!(await page.locator('#players-2').isChecked())) await keyboard.press('ArrowLeft');
  await reach('#seat-1');
  await keyboard.press('ArrowDown');
  assert.equal(await page.locator('#seat-1').inputValue(), 'easy');
  for (const name of ['start', 'max', 'end']) {
    await reach(`#set-${name}`);
    await keyboard.press('Control+A');
    await keyboard.type('1');
  }
  await reach('form button.main');
  await keyboard.press('Enter');
  await page.waitForURL(/\/tables\//);
  await page.locator('button.start').waitFor();
  await reach('button.start');
  await keyboard.press('Enter');
  await page.locator('#middle').waitFor();

  const over = page.locator('#ending .actions a[href$="/replay"]');
  for (let moves = 0; ; moves += 1) {
    await Promise.race([asked(person).waitFor(), over.waitFor()]);
    if (await over.count()) break;
    assert.ok(moves < 4, 'a deal of one card has a bid and a card');
    const height = await page.locator('#desk').getAttribute('data-height');
    const bidding = (await page.locator('.bid').count()) > 0;
    if (bidding) {
      await reach('.bid[data-place]');
      await keyboard.press('Enter');
    } else {
      await keyboard.press('ArrowRight');
      assert.ok(await page.evaluate(() => document.activeElement.matches('#hand button.card')), 'arrows lead to the cards');
      await keyboard.press('Space');
      await page.locator('#hand [aria-pressed="true"]').waitFor();
    }
    const move = `#key-${bidding ? 'b' : 'p'}`;
    await page.locator(`${move}:not([aria-disabled])`).waitFor();
    await reach(move);
    await keyboard.press('Enter');
    await page.waitForFunction((was) => document.querySelector('#desk').dataset.height !== was || !document.querySelector('#desk.asked'), height);
  }
  await person.close();
});

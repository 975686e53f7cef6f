// Every game, played to its end by two people in two browsers and by computers, with a spectator.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Line, axe, open, screenshot } from './harness.mjs';
import { Person, SHORT, noSidewaysScroll, playToTheEnd, verified } from './people.mjs';
import { listen, sawNothingHidden } from './spectator.mjs';
import { browser, server } from './shared.mjs';

/** The settings of both people, by game, so that every option is used by somebody. */
const WAYS = {
  holdem: [{ locale: 'en-US' }, { screen: 'phone', locale: 'de-DE', colorScheme: 'dark' }],
  blackjack: [{ locale: 'de-DE', colorScheme: 'dark' }, { screen: 'phone', locale: 'en-US' }],
  romme: [{ locale: 'en-US' }, { screen: 'phone', locale: 'de-DE' }],
  bigc: [{ locale: 'en-US', colorScheme: 'dark' }, { screen: 'phone', locale: 'de-DE' }],
  ongdu: [{ locale: 'de-DE' }, { screen: 'phone', locale: 'en-US', colorScheme: 'dark' }],
  blackout: [{ locale: 'en-US', keys: true }, { screen: 'phone', locale: 'de-DE' }],
};

for (const game of Object.keys(SHORT)) {
  test(`${game} is played to its end`, { timeout: 240_000 }, async () => {
    const [one, two] = await Promise.all(WAYS[game].map((way) => Person.enter(browser, server, way)));
    const line = await Line.of(one.page);
    const { address, code } = await one.make(game);
    await two.join(code);
    await axe(one.page);
    await one.start();

    const watcher = await open(browser, server.url, { locale: 'en-US' });
    const seen = listen(watcher);
    await watcher.page.goto(address);

    await playToTheEnd([one, two], async (round) => {
      if (round === 3) {
        await axe(one.page);
        await axe(two.page);
        await noSidewaysScroll(two.page);
        await screenshot(one.page, `${game}-desktop`);
        await screenshot(two.page, `${game}-phone`);
      }
      if (round === 3) await handInSight(two.page);
      // In the middle of the match: a lost connection and a reload.
      if (round === 0) await line.drop(one.page);
      if (round === 4) await two.page.reload();
    });
    assert.ok(line.count() > 1, 'the connection was lost and came back');
    assert.ok(one.acts + two.acts > 2, 'they have really played');
    await noSidewaysScroll(two.page);
    await screenshot(one.page, `${game}-end`);
    await axe(one.page);

    // At least one of the two people had cards in the last deal.
    const checked = (await Promise.all([one, two].map(({ page }) => verified(page)))).flat();
    assert.ok(checked.some((text) => /✓.*(your (\d+ cards|card is)|deine (\d+ Karten|Karte ist))/.test(text)), `own cards are checked: ${checked.join('\n')}`);
    const record = await watcher.page.evaluate(async (url) => (await fetch(url)).text(), `${address}/record`);
    assert.ok((await sawNothingHidden(seen, record)) > 0, 'and the spectator saw cards');
    for (const person of [one, two, watcher]) await person.close();
  });
}

test('a face sent to a spectator too early is noticed', async () => {
  const record = ['{"fairdeal":{}}', '{"dealt":{"height":0,"open":{}}}', '{"act":{"height":1,"open":{"0:4":"7H"}}}', '{"act":{"height":2}}'].join('\n');
  const frame = (height, html) => ({ kind: 'frame', text: JSON.stringify({ parts: { height, parts: [html] } }) });
  const card = '<span class="card hearts" data-slot="0:4" role="img" aria-label="seven of hearts"></span>';
  const frames = [frame(0, ''), frame(1, '<span class="card back" data-slot="0:4" aria-label="a face-down card"></span>'), frame(2, `${card} Anna plays 7♥`)];
  assert.ok((await sawNothingHidden(frames, record)) > 1);
  const other = card.replace('0:4', '0:5');
  for (const early of [frame(1, card), frame(1, 'Anna has 7♥'), frame(1, 'the seven of hearts'), frame(2, other), frame(2, '10♠')]) {
    await assert.rejects(sawNothingHidden([...frames, early], record), /the spectator was (sent|told)/, early.text);
  }
  await assert.rejects(sawNothingHidden([...frames, { kind: 'answer', text: '<p>J♣</p>' }, frame(2, '')], record));
});

/** On a phone, the player's own cards and every button are visible without scrolling. */
async function handInSight(page) {
  const below = await page.evaluate(() => {
    scrollTo(0, 0);
    const shown = [...document.querySelectorAll('#desk .card, .controls button')].map((one) => one.getBoundingClientRect().bottom);
    return document.getElementById('ending') ? 0 : Math.max(0, ...shown) - innerHeight;
  });
  assert.ok(below <= 0, `hand and buttons end ${below} pixels below the screen`);
}

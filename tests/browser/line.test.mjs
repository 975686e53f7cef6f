// The connection: its loss is announced at once, with a countdown to the next attempt, and so is its return.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Line, axe } from './harness.mjs';
import { asked, whoseTurn } from './pairs.mjs';
import { Person } from './people.mjs';
import { browser, server } from './shared.mjs';

test('a lost connection is said at once, and so is that it is back', { timeout: 60_000 }, async () => {
  const [one, two] = await Promise.all([0, 1].map(() => Person.enter(browser, server, { locale: 'en-US' })));
  one.allow(/WebSocket connection|ERR_/);
  const { page } = one;
  // Where the test says so, there is no way through.
  let open = true;
  const sockets = [];
  await page.routeWebSocket(/\/tables\/.*\/socket/, (socket) => {
    if (!open) return socket.close({ code: 1012 });
    socket.connectToServer();
    return sockets.push(socket);
  });
  const { code } = await one.make('holdem', { players: 2 });
  await two.join(code);
  await one.start();
  // The cards are dealt: a page that is gone before would be waited for.
  const turn = await whoseTurn([one, two]);
  const banner = page.locator('#line');
  assert.ok(!(await banner.isVisible()), 'while all is well, nothing is said');
  const size = () => page.evaluate(() => [document.body, document.querySelector('.felt h1')].map((part) => [getComputedStyle(part).fontSize, getComputedStyle(part).fontStyle]));
  const before = await size();

  open = false;
  await sockets.at(-1).close({ code: 1012 });
  await banner.getByText('Connection lost.').waitFor();
  assert.deepEqual(await size(), before, 'the page stays as it can be read');
  await banner.getByText(/Trying again in [1-8] s/).waitFor();
  await axe(page);
  await asked(turn).waitFor();

  open = true;
  await banner.getByRole('button', { name: 'Try now' }).click();
  await banner.getByText('Connected again.').waitFor();
  assert.ok(!(await banner.getByRole('button').isVisible()));
  assert.equal(await page.locator('body.offline').count(), 0);
  await axe(page);
  await banner.waitFor({ state: 'hidden' });
  for (const person of [one, two]) await person.close();
});

test('a device that goes offline is told before its socket notices', { timeout: 60_000 }, async () => {
  const person = await Person.enter(browser, server, { locale: 'de-DE' });
  const line = await Line.of(person.page);
  await person.make('holdem', { players: 2 });
  await person.page.evaluate(() => dispatchEvent(new Event('offline')));
  const banner = person.page.locator('#line');
  await banner.getByText('Verbindung verloren.').waitFor();
  await person.page.evaluate(() => dispatchEvent(new Event('online')));
  await banner.getByText('Wieder verbunden.').waitFor();
  assert.equal(line.count(), 2);
  await person.close();
});

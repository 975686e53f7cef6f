// After a private match: the signed result, the record, checking it in the page, the leaderboard of the station, and a terminal
// and a computer at a browser's table. All of it over plain http at an address of a home network, where browsers allow less.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { axe, program, startBrowser, startServer } from './harness.mjs';
import { terminal } from './seats.mjs';
import { come, create, person } from './tables.mjs';

let server, browser, folder, url;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fairdeal-finished-'));
  const data = path.join(folder, 'server');
  await promisify(execFile)(program(), ['station', 'init', '--data', data]);
  server = await startServer({ args: ['--station', '--tables-per-minute', '0'], data });
  // A name that is not this computer's: no secure context.
  browser = await startBrowser(['--host-resolver-rules=MAP cards.lan 127.0.0.1']);
  url = server.url.replace('127.0.0.1', 'cards.lan');
});
after(async () => {
  await browser?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** An extension that signs, or rather says so: it has the interface of NIP-07 and no key. */
const extension = () => {
  globalThis.nostr = {
    getPublicKey: async () => '11'.repeat(32),
    signEvent: async (event) => {
      globalThis.signed = event;
      if (globalThis.refuses) throw new Error('the person said no');
      return { ...event, pubkey: '11'.repeat(32), id: '22'.repeat(32), sig: '33'.repeat(64) };
    },
  };
};

/** Concedes the match. */
async function concede(page) {
  await page.locator('#leave button').click();
  await page.locator('#confirm button.grave').click();
}

const saved = async (page, button) => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator(button).click()]);
  return readFile(await download.path(), 'utf8');
};

test('browsers and a computer in a terminal play, and the result is signed, checked, and counts', async () => {
  const ada = await person(browser, url), bob = await person(browser, url, { screen: 'phone', locale: 'de-DE' });
  await ada.context.addInitScript(extension);
  for (const one of [ada, bob]) one.allow(/Cross-Origin-Opener-Policy header has been ignored/);
  const link = await create(ada.page, url, { seats: 3 });
  assert.equal(await ada.page.evaluate(() => isSecureContext), false);
  await ada.page.getByRole('button', { name: 'Copy link' }).click();
  await ada.page.getByText('Copied.').waitFor();
  assert.equal(await ada.page.locator('.near-only').count(), 0, 'this address works for others, too');
  await come(bob.page, link, 'Bob');
  const tom = terminal(link.replace('cards.lan', '127.0.0.1'), 'Tom', path.join(folder, 'tom'));
  await ada.page.locator('.people li', { hasText: 'Tom' }).waitFor();
  await ada.page.getByRole('button', { name: 'Start the match' }).click();
  await bob.page.getByRole('button', { name: 'Ich bin bereit' }).click();
  for (const { page } of [ada, bob]) await page.locator('#hand .card').nth(1).waitFor({ timeout: 60_000 });
  await concede(bob.page);
  await concede(ada.page);

  const after = ada.page.locator('#after');
  await after.getByText('Everybody has signed the result').waitFor({ timeout: 60_000 });
  assert.match(await after.locator('.places').innerText(), /^Tom: /);
  await bob.page.locator('#after').getByText('Alle haben das Ergebnis unterschrieben').waitFor();
  for (const { page } of [ada, bob]) await axe(page);

  // All proofs again, in the page.
  await after.getByRole('button', { name: 'Verify' }).click();
  await after.getByText(/✓ All \d+ entries are in order/).waitFor();
  await after.getByText(/✓ Every shuffle of \d+ deals is proven/).waitFor();
  await after.getByText('✓ The result follows from the log, and everybody has signed it.').waitFor();
  await axe(ada.page);

  // The same record as the terminal program has it; a changed one is refused.
  const record = await saved(ada.page, '[data-after=record]');
  const { code } = await tom.gone;
  assert.equal(code, 0);
  const lines = record.trim().split('\n');
  assert.ok(lines.length > 20);
  const check = async (name, text) => {
    await after.locator('#other-record').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await after.locator('.verdict b', { hasText: name }).or(after.locator('.verdict .bad')).first().waitFor();
    await after.locator('progress').waitFor({ state: 'hidden' });
    return after.locator('.verdict').innerText();
  };
  await after.locator('summary', { hasText: 'Check another record' }).click();
  assert.match(await check('whole.jsonl', record), /✓ All \d+ entries are in order/);
  const digit = lines[12].length - 4, changed = lines.with(12, lines[12].slice(0, digit) + (lines[12][digit] === '0' ? '1' : '0') + lines[12].slice(digit + 1));
  assert.match(await check('changed.jsonl', changed.join('\n')), /✗ Entry 12 was changed, left out or moved/);
  assert.match(await check('short.jsonl', lines.slice(0, -20).join('\n')), /✗/);
  assert.match(await check('shuffled.jsonl', [...lines.slice(0, 8), lines[9], lines[8], ...lines.slice(10)].join('\n')), /✗ Entry 8 was changed, left out or moved/);
  assert.match(await check('nonsense.txt', 'hello'), /✗ This is not a record/);

  // The station gets nothing unless the person wants that.
  const board = async () => (await (await fetch(`${server.url}/api/v1/leaderboards/holdem`)).json()).rows;
  assert.deepEqual(await board(), []);
  await after.getByRole('button', { name: 'Send the result' }).click();
  await after.getByText('Sent: the result counts now.').waitFor();
  await after.locator('.board tr.me').waitFor();
  assert.equal((await board()).length, 3);
  await axe(ada.page);
  await bob.page.locator('[data-after=always]').check();
  await bob.page.locator('.sent', { hasText: 'Dieses Ergebnis hat schon jemand geschickt' }).waitFor();

  // The extension signs that the result is theirs; nothing is sent.
  await after.getByRole('button', { name: 'Sign with the extension' }).click();
  await after.getByText('Signed and saved as a NOSTR event.').waitFor();
  const event = await ada.page.evaluate(() => globalThis.signed);
  assert.equal(event.kind, 1);
  assert.match(event.content, /^[0-9a-f]{64}$/);
  await ada.page.evaluate(() => (globalThis.refuses = true));
  await after.getByRole('button', { name: 'Sign with the extension' }).click();
  await after.getByText('The extension did not sign: the person said no').waitFor();
  assert.equal(await bob.page.locator('.extension').isVisible(), false, 'there is none');

  // The result is still there after a reload.
  await ada.page.reload();
  await ada.page.locator('#after').getByText('Everybody has signed the result').waitFor();
  await ada.close();
  await bob.close();
});

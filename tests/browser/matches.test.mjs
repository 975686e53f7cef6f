// Whole matches at private tables: a large screen and a phone, somebody at a terminal, and a computer. On the way pages are
// loaded again, a phone sleeps, the server is restarted, and somebody watches. FAIRDEAL_SOAK=1 plays every game on both sizes.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { Guest } from './guests.mjs';
import { axe, program, startBrowser, startDevice, startServer } from './harness.mjs';
import { playToTheEnd } from './people.mjs';
import { terminal } from './seats.mjs';
import { come, create } from './tables.mjs';

const LIMITS = ['--requests-per-second', '0', '--messages-per-second', '0', '--tables-per-minute', '0'];
const soak = Boolean(process.env.FAIRDEAL_SOAK);

let browser, folder;
before(async () => {
  browser = await startBrowser();
  folder = await mkdtemp(path.join(tmpdir(), 'fairdeal-matches-'));
});
after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

const GAMES = {
  holdem: { starting_chips: '300', hand_limit: '10' },
  blackjack: { rounds: '1' },
  romme: { mode: 'rounds', rounds: '1', first_meld: '0' },
  bigc: { hand_size: '5' },
  ongdu: { max_rounds: '1' },
  blackout: { max: '2' },
};

/** Somebody who sits at a terminal, with keys and a screen. */
function atTerminal(link, name) {
  const data = path.join(folder, `${name}-${Math.random()}`);
  const script = new URL('./terminal.py', import.meta.url).pathname;
  const child = spawn('python3', [script, program(), 'join', link, '--name', name, '--data', data], { stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
  const gone = new Promise((resolve) => child.once('close', (code) => resolve({ code, err })));
  return { gone, kill: () => child.kill('SIGKILL') };
}

/** Two browsers, a terminal and a computer sit down, and the match begins. */
async function company(server, game, [first, second], device = browser) {
  const ada = await Guest.enter(browser, server, { screen: first }), bob = await Guest.enter(device, server, { screen: second });
  const link = await create(ada.page, server.url, { game, seats: 4, settings: GAMES[game] });
  await come(bob.page, link, 'Bob');
  const carl = atTerminal(link, 'Carl'), dora = terminal(link, 'Dora', path.join(folder, `dora-${Math.random()}`));
  for (const name of ['Bob', 'Carl', 'Dora']) await ada.page.locator('.people li', { hasText: name }).waitFor({ timeout: 60_000 });
  await ada.page.getByRole('button', { name: 'Start the match' }).click();
  await bob.page.getByRole('button', { name: 'I am ready' }).click();
  await ada.page.locator('#seat:not([hidden])').waitFor({ timeout: 60_000 });
  return { link, ada, bob, carl, dora };
}

/** Everybody has signed the same result, and what was played verifies, in the page and in the program. */
async function ended({ ada, bob, carl, dora }) {
  const [atScreen, computer] = await Promise.all([carl.gone, dora.gone]);
  assert.equal(atScreen.code, 0, atScreen.err);
  assert.equal(computer.code, 0, computer.err);
  for (const { page } of [ada, bob]) {
    await page.getByText('Everybody has signed the result').waitFor({ timeout: 30_000 });
    await axe(page);
  }
  const log = computer.lines.find((line) => line.startsWith('log ')).slice(4);
  const checked = await new Promise((resolve) => execFile(program(), ['verify', log], (error, out) => resolve({ code: error?.code ?? 0, out })));
  assert.equal(checked.code, 0, checked.out);
  await ada.close();
  await bob.close();
}

const sizes = soak ? [['desktop', 'phone'], ['phone', 'desktop']] : [['desktop', 'phone']];
for (const game of soak ? Object.keys(GAMES) : ['ongdu']) {
  for (const [first, second] of sizes) {
    test(`${game}: a ${first}, a ${second}, a terminal and a computer play to a result that all have signed`, async () => {
      const server = await startServer({ args: LIMITS });
      try {
        const all = await company(server, game, [first, second]);
        await playToTheEnd([all.ada, all.bob]);
        await ended(all);
      } finally {
        await server.stop();
      }
    });
  }
}

test('reloads while cards are shuffled, dealt and chosen, a server that is restarted, and somebody who watches', async () => {
  const server = await startServer({ args: LIMITS, data: path.join(folder, 'restarted') });
  const address = new URL(server.url).host;
  let running = server;
  try {
    const all = await company(server, 'blackout', ['desktop', 'phone']);
    const { ada, bob, link } = all;
    const eve = await Guest.enter(browser, server);
    await eve.page.goto(link);
    await eve.page.locator('[data-watch]').click();
    await eve.page.locator('#seat:not([hidden])').waitFor({ timeout: 60_000 });
    // At once, that is while keys are made and cards are shuffled; then whenever it is somebody's turn.
    await ada.page.reload();
    await bob.page.reload();
    const events = [
      () => ada.page.reload(),
      async () => {
        await running.kill();
        running = await startServer({ args: LIMITS, listen: address, data: path.join(folder, 'restarted') });
      },
      () => bob.page.reload(),
    ];
    // While the server is away, the pages say so on the console.
    for (const guest of [ada, bob, eve]) guest.allow(/WebSocket connection|ERR_CONNECTION/);
    await playToTheEnd([ada, bob], async (round) => {
      if (round % 4 === 3) await events.shift()?.();
    });
    assert.equal(events.length, 0, 'everything happened before the end');
    await eve.page.getByText('Everybody has signed the result').waitFor({ timeout: 30_000 });
    const cards = await eve.page.locator('#hand .card').count();
    assert.equal(cards, 0, 'who watches has no cards');
    await eve.close();
    await ended(all);
  } finally {
    await running.stop();
  }
});

test('a phone that sleeps for a minute and wakes up plays on', { skip: !soak && 'takes over a minute' }, async () => {
  const server = await startServer({ args: LIMITS }), phone = await startDevice();
  try {
    const all = await company(server, 'blackout', ['desktop', 'phone'], phone.browser);
    const { ada, bob } = all;
    bob.allow(/WebSocket|ERR_/);
    let slept = false;
    await playToTheEnd([ada, bob], async (round) => {
      if (slept || round < 3) return;
      slept = true;
      phone.sleep();
      const said = ada.page.locator('#waits', { hasText: "Bob's device is asleep or offline" }).waitFor({ timeout: 60_000 }).then(() => true, () => false);
      // The others play on until it is the sleeper's turn.
      for (const awake = Date.now() + 60_000; Date.now() < awake; ) if (!(await ada.act())) await ada.page.waitForTimeout(200);
      phone.wake();
      assert.ok(await said, 'the others are told');
    });
    assert.ok(slept);
    await ended(all);
  } finally {
    await phone.close();
    await server.stop();
  }
});

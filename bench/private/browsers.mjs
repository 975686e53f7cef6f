// How long people wait at private tables in real browsers, also on cheap phones: from the last "I am ready" to the cards, and
// from deal to deal. Beside it, in the same browser, what `mental-poker-toolkit` takes with 512 bits and no proofs.
//
//   FAIRDEAL_BIN=target/release/fairdeal node bench/private/browsers.mjs [GAME=PLAYERS]...
//
// Every device is a Chromium of its own. A phone may use a sixth of one processor (a control group of Linux, which takes
// root), with everything in it: pages, workers and the network. Without that, only fast devices are measured. All devices
// and the server share the processors of this machine, so fast ones stand in each other's way and phones do not.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus } from 'node:os';
import path from 'node:path';
import { Guest } from '../../tests/browser/guests.mjs';
import { startDevice, startServer } from '../../tests/browser/harness.mjs';
import { playToTheEnd } from '../../tests/browser/people.mjs';
import { come, create } from '../../tests/browser/tables.mjs';

const TABLES = { holdem: [2, 4, 6], romme: [4], blackjack: [4] };
const SETTINGS = {
  holdem: { starting_chips: '2000', hand_limit: '10' },
  romme: { mode: 'rounds', rounds: '2', first_meld: '0' },
  blackjack: { rounds: '5' },
};
const DEALS = 4;
const PHONE = 6;
/** How long a match is played at most, in seconds: a round of Rommé takes long. */
const PATIENCE = 120;

// ---- slow devices ----

const PERIOD = 20_000;
/** Where the system keeps control groups, and what limits the processor there: with one tree for everything, or one per resource. */
const ONE_TREE = { at: '/sys/fs/cgroup', limit: (quota) => ({ 'cpu.max': `${quota} ${PERIOD}` }) };
const CPU_TREE = { at: '/sys/fs/cgroup/cpu', limit: (quota) => ({ 'cpu.cfs_period_us': PERIOD, 'cpu.cfs_quota_us': quota }) };
const TREE = existsSync(`${ONE_TREE.at}/cgroup.controllers`) ? ONE_TREE : CPU_TREE;
const group = (number) => `${TREE.at}/fairdeal-phone-${number}`;

/** Lets all processes of a device use a part of one processor; `false` if this system does not allow that. */
function throttle(pid, number) {
  try {
    mkdirSync(group(number), { recursive: true });
    const limits = TREE.limit(Math.round(PERIOD / PHONE));
    for (const [name, value] of Object.entries(limits)) writeFileSync(`${group(number)}/${name}`, String(value));
    for (const one of family(pid)) writeFileSync(`${group(number)}/cgroup.procs`, String(one));
    return true;
  } catch {
    return false;
  }
}

/** Removes the group of a device that is gone. */
function release(number) {
  try {
    rmdirSync(group(number));
  } catch {
    // It was never made, or somebody is still in it.
  }
}

/** A process and all that it has started; later ones stay in its group. */
function family(pid) {
  const parents = new Map();
  for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // It has ended.
    }
  }
  const found = [pid];
  for (const one of found) for (const [child, parent] of parents) if (parent === one) found.push(child);
  return found;
}

// ---- a table ----

/**
 * Notes in the page when somebody says that they are ready, when cards of a deal come, and when it is over; and presses
 * "Next deal" at once, so that only devices are waited for. A deal is new if none of its cards were there when the last one ended.
 */
function note() {
  const times = (window.times = { ready: [], cards: [], asked: [], over: [], decided: [] });
  addEventListener('click', ({ target }) => {
    const at = Date.now();
    if (target.closest('[data-want=start], [data-want=accept]')) times.ready.push(at);
    if (target.closest('.buttons button.main[data-key]')) times.decided.push(at);
  }, true);
  const old = new Set(), seen = new Set();
  const was = {};
  const look = () => {
    const ready = document.querySelector('#ending button.ready');
    const slots = [...document.querySelectorAll('#hand [data-slot], #bench [data-slot]')].map(({ dataset }) => dataset.slot);
    const now = {
      cards: slots.length > 0 && !slots.some((slot) => old.has(slot)),
      asked: Boolean(document.querySelector('#desk.asked')),
      over: Boolean(ready ?? document.querySelector('body.ended')),
    };
    for (const slot of slots) seen.add(slot);
    if (now.over) for (const slot of seen) old.add(slot);
    for (const [name, is] of Object.entries(now)) {
      if (is && !was[name]) times[name].push(Date.now());
      was[name] = is;
    }
    ready?.click();
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
}

const latest = (all) => Math.max(...all);
const seconds = (from, to) => (to - from) / 1000;

/**
 * How long everybody together waited for the cards of a deal, after each of them was ready for it. At Blackjack a round follows the
 * one before by itself, after the last move; and bets come before cards, for which people's own time does not count.
 */
function wait(all, game, deal) {
  const came = latest(all.map(({ cards }) => cards[deal]));
  if (game !== 'blackjack') return seconds(latest(all.map(({ ready, over }) => (deal ? over[deal - 1] : ready[0]))), came);
  const bets = all.map(({ cards, asked, decided, ready }) => {
    const bet = decided.findLast((at) => at < cards[deal]), wanted = asked.findLast((at) => at <= bet);
    return { bet, wanted, before: deal ? decided.findLast((at) => at < wanted) : ready[0] };
  });
  const [before, wanted, bet] = ['before', 'wanted', 'bet'].map((name) => latest(bets.map((one) => one[name])));
  return Math.max(seconds(before, wanted), 0) + seconds(bet, came);
}

async function table(game, players, slow) {
  const server = await startServer({ args: ['--requests-per-second', '0', '--messages-per-second', '0', '--tables-per-minute', '0'] });
  const devices = [];
  for (let number = 0; number < players; number++) devices.push(await startDevice());
  try {
    if (slow && !devices.every(({ pid }, number) => throttle(pid, number))) return null;
    const guests = await Promise.all(devices.map(({ browser }) => Guest.enter(browser, server, { screen: slow ? 'phone' : 'desktop' })));
    for (const { context } of guests) await context.addInitScript(note);
    const [host, ...others] = guests;
    for (const { page } of guests) page.setDefaultTimeout(120_000);
    const link = await create(host.page, server.url, { game, seats: players, settings: SETTINGS[game] });
    for (const [number, { page }] of others.entries()) await come(page, link, `Guest ${number + 1}`);
    await host.page.locator(`.people li >> nth=${players - 1}`).waitFor();
    await host.page.locator('[data-want=start]').click();
    await Promise.all(others.map(({ page }) => page.locator('[data-want=accept]').click()));
    const times = () => Promise.all(guests.map(({ page }) => page.evaluate(() => window.times)));
    const late = Date.now() + PATIENCE * 1000;
    const enough = async () => {
      const all = await times();
      const dealt = (number) => all.every(({ cards }) => cards.length > number);
      if (dealt(DEALS) || (dealt(0) && Date.now() > late)) throw new Enough();
    };
    await playToTheEnd(guests, enough, 3 * PATIENCE).catch((why) => {
      if (!(why instanceof Enough)) throw why;
    });
    const all = await times();
    const first = wait(all, game, 0), waits = [];
    for (let deal = 1; all.every(({ cards }) => cards.length > deal); deal++) waits.push(wait(all, game, deal));
    waits.sort((a, b) => a - b);
    return { game, players, slow, first, next: waits[Math.floor(waits.length / 2)], longest: waits.at(-1), deals: waits.length };
  } finally {
    await Promise.all(devices.map(({ close }) => close()));
    await server.stop();
    if (slow) for (let number = 0; number < players; number++) release(number);
  }
}

class Enough extends Error {}

// ---- the toolkit ----

const MODULES = new URL('./node_modules/', import.meta.url).pathname;
const PAGE = `<!doctype html><script type="importmap">{"imports":{
  "mental-poker-toolkit": "/mental-poker-toolkit/build/module/index.js",
  "bigint-crypto-utils": "/bigint-crypto-utils/dist/index.browser.esm.js"}}</script>`;

/** Keys and a shuffle of two players in one page, until the first card can be opened; in seconds. */
async function toolkit(bits, slow) {
  const server = createServer((request, response) => {
    if (request.url === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    const names = [request.url, `${request.url}.js`, `${request.url}/index.js`].map((name) => path.join(MODULES, path.normalize(name)));
    for (const name of names) {
      try {
        const script = readFileSync(name);
        return response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
      } catch {
        // The next one.
      }
    }
    response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const device = await startDevice();
  try {
    if (slow && !throttle(device.pid, 0)) return null;
    const page = await device.browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    return await page.evaluate(async (bits) => {
      const { EncodedDeck, createPlayer } = await import('mental-poker-toolkit');
      const cards = 52, deck = new EncodedDeck(Array.from({ length: cards }, (_, card) => BigInt(card + 2)));
      const begin = performance.now();
      const alice = await createPlayer({ cards, bits });
      const once = alice.encryptAndShuffle(deck);
      const bob = await createPlayer({ cards, bits, publicKey: alice.publicKey });
      const dealt = bob.decryptAndEncryptIndividually(alice.decryptAndEncryptIndividually(bob.encryptAndShuffle(once)));
      const opened = dealt.cards.map((card, at) => bob.getIndividualKey(at).decrypt(alice.getIndividualKey(at).decrypt(card)));
      if (new Set(opened.map(String)).size !== cards) throw new Error('the deck does not open to 52 cards');
      return (performance.now() - begin) / 1000;
    }, bits);
  } finally {
    await device.close();
    server.close();
    if (slow) release(0);
  }
}

// ---- the figures ----

const wanted = process.argv.slice(2).map((word) => word.split('='));
const tables = wanted.length ? wanted.map(([game, players]) => [game, Number(players)]) : Object.entries(TABLES).flatMap(([game, all]) => all.map((players) => [game, players]));
console.log(`all devices and the server share ${cpus().length} processors; seconds\n`);
console.log('game        players  device   first cards   next deal: median   longest   deals');
for (const slow of [false, true]) {
  for (const [game, players] of tables) {
    const got = await table(game, players, slow);
    const device = slow ? 'phone' : 'fast';
    if (!got) {
      console.log('phones are not measured: this system has no control groups that this user may make');
      break;
    }
    const cell = (value, width) => (value === undefined ? '-' : value.toFixed(2)).padStart(width);
    console.log(`${game.padEnd(12)}${String(players).padStart(7)}  ${device.padEnd(7)}${cell(got.first, 13)}${cell(got.next, 20)}${cell(got.longest, 10)}${String(got.deals).padStart(8)}`);
  }
}
for (const slow of [false, true]) {
  const took = await toolkit(512, slow);
  if (took !== null) console.log(`\nmental-poker-toolkit, 512 bits, 2 players in one page, no proofs, ${slow ? 'phone' : 'fast'}: ${took.toFixed(2)} s`);
}

// Puts load on a server that plays the game of `game.mjs`, as the program `load` does on fairdeal: many tables of two,
// every seat with a socket of its own, everybody plays at once whatever is asked. Prints one line of JSON.
//
//   node load.mjs boardgame|colyseus ADDRESS LOBBY PID TABLES SECONDS WARM_UP

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { tables as kinds } from './seats.mjs';

const [kind, at, lobby, pid, ...numbers] = process.argv.slice(2);
const [tables, seconds, warmUp] = numbers.map(Number);

const AT_ONCE = 16;
const PATIENCE = 300_000;

let playing = false;
let measured = false;
let there = 0;
let broken = 0;
let refused = 0;
const times = [];

// Who sits somewhere.
class Player {
  sent = undefined;
  held = undefined;

  // There have been so many moves.
  told(moves) {
    if (this.sent === undefined || moves <= this.sent.moves) return;
    if (measured) times.push(performance.now() - this.sent.at);
    this.sent = undefined;
  }

  asked(moves, cards) {
    if (this.held === undefined && !playing) there += 1;
    this.held = { moves, cards };
    if (playing) this.play();
  }

  play() {
    if (this.held === undefined || this.sent !== undefined) return;
    const { moves, cards } = this.held;
    if (cards.length === 0) refused += 1;
    this.held = undefined;
    this.sent = { moves, at: performance.now() };
    this.seat.play(cards[0]);
  }

  lost() {
    if (!over) broken += 1;
  }
}

let over = false;

// Linux counts the time of processes in hundredths of a second; the name before it may hold anything.
function cpu() {
  const words = readFileSync(`/proc/${pid}/stat`, 'latin1').split(')').at(-1).trim().split(' ');
  return (Number(words[11]) + Number(words[12])) / 100;
}

function memory() {
  const line = readFileSync(`/proc/${pid}/status`, 'latin1').match(/VmRSS:\s+(\d+) kB/);
  return Number(line[1]) * 1024;
}

// What lies about in memory is not what tables need: it is swept up first.
async function swept() {
  process.kill(Number(pid), 'SIGHUP');
  await sleep(1500);
  return memory();
}

const empty = await swept();
const began = performance.now();
const players = [];
let next = 0;
await Promise.all(Array.from({ length: AT_ONCE }, async () => {
  while (next < tables) {
    next += 1;
    const two = [new Player(), new Player()];
    const seats = await kinds[kind](at, lobby, two);
    two.forEach((player, seat) => { player.seat = seats[seat]; });
    players.push(...two);
  }
}));
const making = (performance.now() - began) / 1000;
// At every table one is asked.
while (there < tables) {
  if (performance.now() - began > PATIENCE) throw new Error(`only ${there} tables have begun`);
  await sleep(50);
}
const begun = await swept();

playing = true;
for (const player of players) player.play();
await sleep(warmUp * 1000);
const [cpuBefore, start] = [cpu(), performance.now()];
measured = true;
await sleep(seconds * 1000);
measured = false;
const [used, took] = [cpu() - cpuBefore, (performance.now() - start) / 1000];
const played = await (async () => { playing = false; await sleep(500); return swept(); })();
over = true;

times.sort((a, b) => a - b);
const part = (hundredths) => times[Math.floor(((times.length - 1) * hundredths) / 100)] ?? null;
process.stdout.write(`${JSON.stringify({
  server: kind,
  tables,
  seconds: took,
  making_seconds: making,
  actions: times.length,
  per_second: times.length / took,
  cpu_seconds: used,
  per_cpu_second: times.length / used,
  latency_ms: { p50: part(50), p90: part(90), p99: part(99), max: part(100) },
  memory: { empty, begun, played },
  memory_per_table: { begun: (begun - empty) / tables, played: (played - empty) / tables },
  refused,
  broken,
})}\n`);
process.exit(0);

// Seats at private tables without a page: the module, as it was built, in this process, with storage in memory.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { answer, load, Seat } from '../../crates/server/assets/seat.js';
import { program } from './harness.mjs';

// Node has sockets like a browser's since version 22.
globalThis.WebSocket ??= (await import(new URL('./node_modules/playwright-core/lib/utilsBundle.js', import.meta.url))).default.ws;

/** The bytes of the module for a game. */
export const wasm = (game) => readFile(new URL(`../../crates/server/built/private-${game}.wasm`, import.meta.url));

/** A new module for a game. */
export const newModule = async (game) => load(await wasm(game));

/** A new private table at a server: its ticket. The server gets no key. */
export async function newTable(url, { game, seats, knock = false }) {
  const module = await newModule(game);
  const { key, table, access } = answer(module, 'table');
  const body = JSON.stringify({ table, access, game, seats, name: 'Test', listed: false, knock });
  const made = await fetch(`${url}/api/v1/private`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  assert.equal(made.status, 201, await made.clone().text());
  const { hub, code } = await made.json();
  return { ...answer(module, { ticket: { at: url, key, hub } }), code, key };
}

/** What a browser would keep. */
class Memory {
  kept = null;
  secret = new Uint8Array();
  log = [];
  writes = 0;

  async write(effects) {
    this.writes++;
    // Storage takes its time; nothing that follows from an effect may be done before.
    await new Promise((resolve) => setTimeout(resolve, 1));
    for (const effect of effects) {
      if (effect.kind === 'keep') this.kept = effect.text;
      if (effect.kind === 'secret') this.secret = effect.bytes.slice();
      if (effect.kind === 'erase') this.secret = new Uint8Array();
      if (effect.kind === 'log') {
        assert.equal(effect.height, this.log.length + 1, 'entries are stored once and in order');
        this.log.push(effect.entry.slice());
      }
    }
  }
}

/** Somebody at a table. */
export class Player {
  memory = new Memory();
  told = [];
  failed = null;
  /** How long calls took, with the length of what came and of the longest frame that went. */
  took = [];
  #waiting = [];

  /** Comes with the module for this game. */
  static async come(game, wish, { auto = true } = {}) {
    const player = new Player();
    [player.auto, player.game] = [auto, game];
    player.module = await newModule(game);
    const identity = wish.watch ? null : answer(player.module, 'identity').nsec;
    player.#sit();
    player.seat.come({ ticket: wish.ticket, name: wish.name, identity, offer: wish.offer });
    player.#play();
    return player;
  }

  /** Loads the page again: only what is stored is left. */
  async reload() {
    await this.seat.leave();
    this.module = await newModule(this.game);
    this.#sit();
    this.seat.resume({ keep: this.memory.kept, secret: this.memory.secret, log: this.memory.log });
    this.#play();
  }

  #play() {
    if (this.auto) this.seat.want({ auto: true });
  }

  #sit() {
    const module = this.module;
    const timed = {
      call: (event, payload, rim) => {
        const begun = performance.now(), effects = module.call(event, payload, rim), took = performance.now() - begun;
        const sent = effects.map(({ kind, bytes }) => (kind === 'send' ? bytes.length : 0));
        this.took.push({ took, came: event === 'frame' ? payload.length : 0, sent: Math.max(0, ...sent) });
        return effects;
      },
    };
    this.seat = new Seat(timed, {
      store: (effects) => this.memory.write(effects),
      tell: (value) => this.#tell(value),
      fail: (why) => {
        this.failed = why;
        this.#tell({ failed: why });
      },
    });
  }

  #tell(value) {
    this.told.push(value);
    this.#waiting = this.#waiting.filter(({ wanted, resolve }) => !(wanted(value) && (resolve(value), true)));
    const lobby = value.lobby;
    if (lobby?.to_accept) this.seat.want('accept');
    if (lobby?.is_host && !lobby.offered && lobby.people.length === lobby.seats && !this.started) {
      this.started = true;
      this.seat.want('start');
    }
  }

  /** The next thing told that is wanted, also one from before. */
  until(wanted, patience = 240_000) {
    const before = this.told.find(wanted);
    if (before) return Promise.resolve(before);
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`not in time; the last was ${JSON.stringify(this.told.at(-1))}`));
      const timer = setTimeout(late, patience);
      this.#waiting.push({ wanted, resolve: (value) => (clearTimeout(timer), resolve(value)) });
    });
  }

  /** How the match ended, once nothing remains to be done. */
  async over() {
    const told = await this.until((value) => value.done === true || value.failed);
    assert.equal(this.failed, null);
    return told.over;
  }
}

/** A terminal program at a table, for which a computer plays. */
export function terminal(ticket, name, data) {
  const child = spawn(program(), ['join', ticket, '--auto', 'easy', '--name', name, '--data', data], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines = [], waiting = [];
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    waiting.filter(({ begin }) => line.startsWith(begin)).forEach(({ resolve }) => resolve(line));
  });
  const gone = new Promise((resolve) => child.once('close', (code) => resolve({ code, err, lines })));
  const until = (begin) => {
    const before = lines.find((line) => line.startsWith(begin));
    return before ? Promise.resolve(before) : new Promise((resolve) => waiting.push({ begin, resolve }));
  };
  return { until, gone, kill: () => child.kill('SIGKILL') };
}

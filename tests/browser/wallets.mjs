// Somebody with a wallet at a chain table, without a browser: the module for chain tables, as it was built.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { toNode } from '../../crates/server/assets/nodes.js';
import { load, Seat } from '../../crates/server/assets/seat.js';

const BUILT = new URL('../../crates/server/built/wallet.wasm', import.meta.url);
/** The module's bytes. */
export const wasm = () => readFile(BUILT);

/** Somebody with a wallet, and what a browser would keep of it. */
export class Person {
  kept = { keep: null, secret: null, log: [] };
  told = [];
  parts = new Map();
  #waiting = [];

  static #all = [];

  /** Everybody leaves, also those of a test that failed: a line that is open keeps the tests from ending. */
  static leave = () => Promise.all(Person.#all.map(({ seat }) => seat?.leave()));

  static async come(wish = { key: null }) {
    const person = new Person();
    Person.#all.push(person);
    await person.#open();
    person.seat.come(wish);
    return person;
  }

  /** Loads the page again: only what is stored is left. */
  async reload() {
    await this.seat.leave();
    [this.told, this.parts] = [[], new Map()];
    await this.#open();
    this.seat.resume(this.kept);
  }

  async #open() {
    this.module = await load(await wasm());
    this.seat = new Seat(this.module, {
      open: toNode,
      store: async (effects) => effects.forEach((effect) => this.#store(effect)),
      tell: (told) => this.#tell(told),
      fail: (why) => this.#tell({ failed: why }),
    });
  }

  #store(effect) {
    if (effect.kind === 'keep') this.kept.keep = effect.text;
    if (effect.kind === 'secret') this.kept.secret = effect.bytes.slice();
    if (effect.kind === 'log') {
      assert.equal(effect.height, this.kept.log.length + 1);
      this.kept.log.push(effect.entry.slice());
    }
  }

  #tell(told) {
    this.told.push(told);
    for (const text of told.page?.parts?.parts ?? []) this.parts.set(text.match(/ id="([a-z]+)"/)[1], text);
    this.#waiting = this.#waiting.filter(({ is, resolve }) => { const found = is(told); if (found) resolve(found); return !found; });
  }

  want(wanted) {
    this.seat.want(wanted);
  }

  press(message) {
    this.want({ page: JSON.stringify(message) });
  }

  /** What `is` finds in something that is told from now on. */
  until(is, patience = 90_000) {
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`not in time; the last was ${JSON.stringify(this.told.slice(-3)).slice(0, 2000)}`));
      const timer = setTimeout(late, patience);
      this.#waiting.push({ is, resolve: (found) => { clearTimeout(timer); resolve(found); } });
    });
  }

  get desk() {
    return this.parts.get('desk') ?? '';
  }

  /** How often the table has changed, as its page was told: a move answers one such state. */
  get height() {
    return Number(this.desk.match(/data-height="(\d+)"/)?.[1]);
  }

  /** Gets coins to try it out, and takes a seat at table 1. Returns the coins. */
  async sitDown(at, chips = 1_000) {
    // A new chain has no table at first.
    const listed = this.until((told) => told.list?.includes('data-sit="1"'));
    this.want({ node: { at, chain: null, trust: null } });
    await listed;
    const rich = this.until((told) => told.coins >= 1_000_000 && told.coins);
    this.want('faucet');
    const coins = await rich;
    const sits = this.until((told) => told.page && this.parts.get('purse')?.includes('data-command="{&quot;stand'));
    this.want({ sit: { table: 1, chips } });
    await sits;
    return coins;
  }
}

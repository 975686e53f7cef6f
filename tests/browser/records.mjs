// Records of a house for tests: made by the program, taken apart, changed, and judged by the program.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { sessionOf } from '../../crates/server/assets/evidence.js';
import { hex, unhex } from '../../crates/server/assets/house.js';
import { concat, hashFields, le, text } from '../../crates/server/assets/sha256.js';
import { program } from './harness.mjs';

export const GAMES = ['holdem', 'blackjack', 'romme', 'bigc', 'ongdu', 'blackout'];

function inFolder(work) {
  const folder = mkdtempSync(path.join(tmpdir(), 'fairdeal-records-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A record with a house, as text; `words` are those after `fairdeal sim`. */
export function recorded(words) {
  return inFolder((folder) => {
    const file = path.join(folder, 'record.jsonl');
    const args = ['sim', ...words.split(' '), '--dealer', 'house', '--threads', '1', '--record', file];
    execFileSync(program(), args, { stdio: ['ignore', 'ignore', 'pipe'] });
    return readFileSync(file, 'utf8');
  });
}

/** Whether `fairdeal verify` accepts each of these records, also by what was kept, if that is given. */
export function judged(records, kept = undefined) {
  return inFolder((folder) => {
    const compared = kept === undefined ? [] : ['--kept', 'kept'];
    if (kept !== undefined) writeFileSync(path.join(folder, 'kept'), kept);
    const names = records.map((record, i) => {
      writeFileSync(path.join(folder, `${i}.jsonl`), record);
      return `${i}.jsonl`;
    });
    const ran = spawnSync(program(), ['verify', '--json', ...compared, ...names], { cwd: folder, encoding: 'utf8' });
    const said = ran.stdout.trim().split('\n').map((line) => JSON.parse(line));
    if (said.length !== records.length) throw new Error(`${said.length} verdicts for ${records.length}: ${ran.stderr}`);
    const all = said.every(({ ok }) => ok);
    if (ran.status !== (all ? 0 : 1)) throw new Error(`exit ${ran.status}: ${ran.stderr}`);
    return said.map(({ ok }) => ok);
  });
}

/** The evidence of a record: number of the line from 0, author, kind, and payload as bytes. */
export function evidence(record) {
  return record.split('\n').flatMap((line, number) => {
    if (!line.startsWith('{"evidence"')) return [];
    const { by, kind, body } = JSON.parse(line).evidence;
    return [{ number, by, kind, payload: unhex(body).subarray(4, -8) }];
  });
}

/**
 * A record as a lying house could write it: `change` replaces each line of evidence, and all lines are
 * renumbered with new checksums.
 */
export function rewritten(record, change) {
  let header;
  let session;
  let next = 0;
  const lines = record.trimEnd().split('\n').flatMap((line, number) => {
    const parsed = JSON.parse(line);
    header ??= parsed.fairdeal;
    if (parsed.deal && (!header.settings || parsed.deal.number === 1)) {
      session = sessionOf(header, parsed.deal.number);
      next = 0;
    }
    if (!parsed.evidence) return [line];
    const { by, kind, body } = parsed.evidence;
    const said = { number, by, kind, payload: unhex(body).subarray(4, -8) };
    return change(said).map((changed) => {
      next += 1;
      return sealed(session, next - 1, changed);
    });
  });
  return `${lines.join('\n')}\n`;
}

function sealed(session, number, { by, kind, payload }) {
  const numbered = concat(le(number, 4), payload);
  const author = Uint8Array.from(by === 'house' ? [0, 0] : [1, by.seat]);
  const sum = hashFields(text('fairdeal/evidence/v1'), session, author, text(kind), numbered).subarray(0, 8);
  return JSON.stringify({ evidence: { by, kind, body: hex(concat(numbered, sum)) } });
}

/** Pseudo-random numbers that are the same every time. */
export function numbers(seed) {
  let counter = 0;
  return (below) => {
    counter += 1;
    const hash = hashFields(text('numbers'), le(seed, 4), le(counter, 4));
    return new DataView(hash.buffer).getUint32(0) % below;
  };
}

/** What a browser's storage is to a page. */
export class Storage {
  items = new Map();
  #keys = null;
  get length() { return this.items.size; }
  key(i) { return (this.#keys ??= [...this.items.keys()])[i] ?? null; }
  getItem(key) { return this.items.get(key) ?? null; }
  setItem(key, value) { this.items.set(key, String(value)); this.#keys = null; }
  removeItem(key) { this.items.delete(key); this.#keys = null; }
}

// Fairness in the page: records of the program are verified, every change is noticed, and the verdict matches that
// of `fairdeal verify`.

import assert from 'node:assert/strict';
import { createHash, webcrypto } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Seeds, commitment, makeSeed } from '../../crates/server/assets/fairness.js';
import { LEFT_OUT, PUBLISH, cardName, hex, packCodes, shuffled, unhex } from '../../crates/server/assets/house.js';
import { Kept, exported } from '../../crates/server/assets/kept.js';
import { sha256 } from '../../crates/server/assets/sha256.js';
import { Sources } from '../../crates/server/assets/sources.js';
import { verify } from '../../crates/server/assets/verify.js';
import { open, startBrowser } from './harness.mjs';
import { GAMES, Storage, evidence, judged, numbers, recorded, rewritten } from './records.mjs';

const ASSETS = fileURLToPath(new URL('../../crates/server/assets', import.meta.url));

// Node has this global, as browsers do, since version 19.
globalThis.crypto ??= webcrypto;

/** A verdict to compare with that of the program, which takes only complete records. */
const valid = (record) => {
  const { ok, complete } = verify(record);
  return ok && complete;
};

/** How many times something is tried: more often with FAIRDEAL_SOAK. */
const times = (few, many) => (process.env.FAIRDEAL_SOAK ? many : few);

/** The checks of one kind. */
const of = (result, kind) => result.checks.filter((check) => check.kind === kind);

/** A list with some of its items replaced. */
function spliced(list, at, count, ...others) {
  return [...list.slice(0, at), ...others, ...list.slice(at + count)];
}

const replaced = (list, at, item) => spliced(list, at, 1, item);

/** Few records, each in many changed copies. */
const samples = GAMES.flatMap((game) => [
  [`${game} --deals 2 --seed 11`, recorded(`${game} --deals 2 --seed 11`)],
  [`${game} after_deal`, recorded(`${game} --matches 1 --max-deals 3 --players 3 --seed 12 --reveal-seed after_deal`)],
]);

test('SHA-256 matches the standard library', () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 7 + length) % 256);
    assert.equal(hex(sha256(bytes)), createHash('sha256').update(bytes).digest('hex'), `${length} bytes`);
  }
});

test('the shuffle is the documented one', () => {
  const first = (count) => Array.from({ length: count }, (_, i) => i);
  assert.deepEqual(shuffled(new Uint8Array(32), first(10)), [6, 2, 5, 1, 9, 7, 4, 3, 0, 8]);
  assert.deepEqual(
    shuffled(Uint8Array.from(first(32)), first(52)),
    [
      45, 12, 18, 14, 40, 32, 9, 21, 27, 5, 16, 13, 42, 29, 30, 26, 19, 17, 34, 43, 15, 41, 31, 49, 44, 2, 11, 8, 46,
      38, 37, 35, 25, 6, 39, 0, 36, 7, 20, 22, 48, 51, 33, 23, 47, 3, 24, 4, 50, 10, 28, 1,
    ],
  );
});

test('packs share their jokers, and every code has a name', () => {
  const jokers = packCodes(3, 5).flatMap((code, i) => (code === 52 ? [i] : []));
  assert.deepEqual(jokers, [52, 53, 106, 107, 160]);
  const names = { 0: '2C', 12: 'AC', 13: '2D', 51: 'AS', 52: 'JK', 53: null, 65: 'd1', 127: 'd63', 128: null };
  for (const [code, name] of Object.entries(names)) assert.equal(cardName(Number(code)), name, code);
  assert.equal(packCodes(9, 0), null);
  assert.equal(packCodes(1, 4), null);
});

test('a shoe that runs out is refilled with used cards', () => {
  const sources = new Sources('blackjack', { decks: 1, shoe: { deck: 4, used: 3 }, first_deck: 5 });
  assert.deepEqual(sources.next(5, 3), { slots: ['4:0', '4:1', '4:2'] });
  assert.equal(sources.next(5, 4), null);
});

test('a pile is followed until a player leaves with an unknown hand', () => {
  const begun = () => {
    const sources = new Sources('bigc', { decks: 2 });
    assert.equal(sources.next(0, 108).codes.length, 108);
    assert.deepEqual(sources.next(1, 3), { codes: [65, 66, 67] }, 'lots, before anything is played');
    for (const slot of ['0:1', '0:2', '0:3']) sources.input('act', [slot], { play: [slot] });
    return sources;
  };
  assert.deepEqual(begun().next(2, 4), { slots: ['0:106', '0:107', '0:1', '0:2'] });
  assert.equal(begun().next(2, 1), null);
  const left = begun();
  left.input('gone', [], undefined);
  assert.deepEqual(left.next(2, 4), {});
});

test('lots are drawn only if the setup does not say who begins', () => {
  assert.equal(new Sources('holdem', {}).next(0, 3).codes.length, 3);
  assert.equal(new Sources('holdem', { button: 0 }).next(0, 3), null);
  assert.equal(new Sources('holdem', {}).next(0, 36), null);
  assert.equal(new Sources('blackout', {}).next(0, 20).codes.length, 20);
  assert.equal(new Sources('blackout', {}).next(0, 3), null);
});

test('records of every game are verified', () => {
  for (const game of GAMES) {
    for (const [seed, reveal] of [[1, 'auto'], [2, 'after_deal'], [3, 'after_match']]) {
      const words = `${game} --matches 1 --max-deals 5 --seed ${seed} --reveal-seed ${reveal}`;
      const result = verify(recorded(words));
      assert.deepEqual(result.checks.filter(({ ok }) => ok === false), [], words);
      assert.ok(result.ok && result.complete, words);
      assert.equal(result.summary.decks, of(result, 'shuffle').length, words);
      const published = reveal !== 'auto' || game === 'romme' || game === 'blackjack';
      const expected = published ? [true, undefined] : [null, 'kept'];
      for (const { ok, why } of of(result, 'shuffle')) assert.deepEqual([ok, why], expected, words);
      for (const kind of ['commitments', 'seeds', 'fixed', 'openings']) {
        assert.ok(of(result, kind).length > 0 && of(result, kind).every(({ ok }) => ok), `${words}: ${kind}`);
      }
    }
  }
  const single = verify(recorded('romme --deals 3 --seed 1'));
  assert.ok(single.ok && single.complete);
  assert.deepEqual(of(single, 'shuffle').map(({ deal, ok }) => [deal, ok]), [[1, true], [2, true], [3, true]]);
});

test('decks made of used cards are followed', () => {
  const records = [
    ['romme', 106, 'romme --matches 1 --max-deals 6 --players 2 --seed 10 --option first_meld=60 --option jokers=2'],
    ['bigc', 108, 'bigc --matches 1 --players 3 --seed 1 --option deals=4 --option pass_draws=2 --reveal-seed after_deal'],
  ];
  for (const [game, pack, words] of records) {
    const result = verify(recorded(words));
    assert.deepEqual(of(result, 'shuffle').filter(({ ok }) => ok !== true), [], words);
    const again = of(result, 'fixed').filter(({ cards }) => cards > 12 && cards < pack);
    assert.ok(again.length > 1, `${game}: ${again.length} decks of used cards`);
  }
});

test('a running match is verified as far as it has been played', () => {
  for (const [name, record] of samples) {
    const lines = record.trimEnd().split('\n');
    const between = numbers(lines.length);
    for (let i = 0; i < 12; i += 1) {
      const count = 1 + between(lines.length - 1);
      const result = verify(`${lines.slice(0, count).join('\n')}\n`);
      assert.deepEqual(result.checks.filter(({ ok }) => ok === false), [], `${name}: ${count} lines`);
    }
  }
  const lines = samples[1][1].split('\n');
  const until = (kind) => lines.slice(0, lines.findIndex((line) => line.includes(`"kind":"${kind}"`))).join('\n');
  const [committed] = verify(`${until('reveal')}\n`).checks;
  assert.deepEqual([committed.kind, committed.ok, committed.seats.length], ['commitments', true, 3]);
  assert.match(committed.house, /^[0-9a-f]{64}$/);
  const [seeds] = of(verify(`${until('root')}\n`), 'seeds');
  assert.deepEqual([seeds.ok, seeds.why, seeds.seats], [null, 'pending', [0, 1, 2]]);
});

test('one changed byte in any evidence is noticed', () => {
  for (const [name, record] of samples) {
    const lines = record.split('\n');
    const among = numbers(record.length);
    const said = evidence(record);
    const kinds = [...new Set(said.map(({ kind }) => kind))];
    const copies = kinds.flatMap((kind) =>
      Array.from({ length: times(4, 40) }, () => {
        const all = said.filter((line) => line.kind === kind);
        const { number } = all[among(all.length)];
        const line = lines[number];
        const at = among(line.length);
        const to = line[at] === '1' ? '2' : '1';
        const changed = replaced(lines, number, line.slice(0, at) + to + line.slice(at + 1)).join('\n');
        return [`${name}: byte ${at} of ${kind} in line ${number + 1}`, changed, number + 1];
      }),
    );
    const verdicts = judged(copies.map(([, changed]) => changed));
    copies.forEach(([what, changed, number], i) => {
      const result = verify(changed);
      assert.equal(result.ok, false, what);
      assert.equal(verdicts[i], false, what);
      assert.equal(result.checks.find(({ ok }) => ok === false).line, number, what);
    });
  }
});

test('missing, repeated or swapped lines are noticed', () => {
  for (const [name, record] of samples) {
    const lines = record.trimEnd().split('\n');
    const places = evidence(record).map(({ number }) => number);
    const among = numbers(lines.length + 1);
    const copies = [];
    for (let i = 0; i < times(5, 50); i += 1) {
      const [one, two] = [places[among(places.length)], places[among(places.length)]];
      copies.push([`${name}: without line ${one + 1}`, spliced(lines, one, 1)]);
      copies.push([`${name}: line ${one + 1} doubled`, spliced(lines, one, 0, lines[one])]);
      if (one !== two) {
        const exchanged = replaced(replaced(lines, one, lines[two]), two, lines[one]);
        copies.push([`${name}: lines ${one + 1} and ${two + 1} exchanged`, exchanged]);
      }
    }
    copies.push([`${name}: without its last line`, lines.slice(0, -1)]);
    copies.push([`${name}: without evidence`, lines.filter((line) => !line.startsWith('{"evidence"'))]);
    const texts = copies.map(([, changed]) => `${changed.join('\n')}\n`);
    judged(texts).forEach((verdict, i) => {
      assert.equal(verdict, false, copies[i][0]);
      assert.equal(valid(texts[i]), false, copies[i][0]);
    });
  }
});

test('a house that forges whole lines gets the same verdict as from the program', () => {
  for (const [name, record] of samples) {
    assert.equal(rewritten(record, (said) => [said]), record, 'an honest record is rewritten to itself');
    const among = numbers(record.length + 2);
    const all = evidence(record).filter(({ payload }) => payload.length > 0);
    const copies = Array.from({ length: times(24, 100) }, () => {
      const { number, kind, payload } = all[among(all.length)];
      const at = among(payload.length);
      const bit = 1 << among(8);
      const change = (said) => {
        if (said.number !== number) return [said];
        return [{ ...said, payload: said.payload.map((byte, i) => (i === at ? byte ^ bit : byte)) }];
      };
      return [`${name}: byte ${at} of ${kind} in line ${number + 1}, bit ${bit}`, rewritten(record, change)];
    });
    judged(copies.map(([, changed]) => changed)).forEach((verdict, i) => {
      assert.equal(valid(copies[i][1]), verdict, copies[i][0]);
    });
  }
});

test('faces in the record must be those that were opened', () => {
  for (const [name, record] of samples) {
    const lines = record.split('\n');
    const shown = lines.flatMap((line, number) => (/^{"(dealt|act)".*"open":/.test(line) ? [number] : []));
    const number = shown[Math.floor(shown.length / 2)];
    const start = lines[number].lastIndexOf('"open":');
    const face = lines[number].indexOf('":"', start + 7) + 3;
    const swap = (rank) => (rank === '2' ? '3' : rank === 'd' ? 'd' : '2');
    const other = lines[number].slice(0, face) + swap(lines[number][face]) + lines[number].slice(face + 1);
    if (other === lines[number]) continue;
    const changed = replaced(lines, number, other).join('\n');
    assert.deepEqual([valid(changed), judged([changed])[0]], [false, false], `${name}: line ${number + 1}`);
  }
});

test('the rules are left to the program', () => {
  const [, record] = samples[0];
  const changed = record.replace(/"hash":"./, '"hash":"_');
  assert.notEqual(changed, record);
  assert.deepEqual([valid(changed), judged([changed])[0]], [true, false]);
});

test('a text that is not a record is refused', () => {
  const [, record] = samples[0];
  const [header, deal] = record.split('\n');
  const texts = ['', '\n', 'null\n', '{}\n', `${header}\n`.replace('"house"', '"local"'), `${header}\n[1]\n`];
  texts.push(`${header}\n${header}\n`, `${deal}\n`, `${header}\n{"deal":{"number":1,"setup":null}}\n`);
  texts.push(`${header}\n${deal}\n{"dealt":{"height":0,"open":null}}\n`, `${header}\n${deal}\n{"evidence":1}\n`);
  texts.push(`${header}\n${deal}\n{"evidence":{"by":{"seat":{}},"kind":"commit","body":""}}\n`);
  for (const wrong of texts) assert.equal(verify(wrong).ok, false, wrong);
});

/** What a page of this seat has kept and answered, if the house did as the record says. */
function witnessed(record, seat) {
  const { id, players } = JSON.parse(record.split('\n')[0]).fairdeal;
  const [lists, answers] = [new Map(), {}];
  const number = (payload) => new DataView(payload.slice().buffer).getUint32(0, true);
  for (const { by, kind, payload } of evidence(record)) {
    if (kind === 'commit' && by === 'house') {
      lists.set(number(payload), { publish: PUBLISH[payload[4]], house: hex(payload.subarray(5)), seats: Array(players).fill(null) });
    } else if (kind === 'commit') {
      lists.get(number(payload)).seats[by.seat] = { commitment: hex(payload.subarray(4)) };
      if (by.seat === seat) answers[number(payload)] = [{ commitment: hex(payload.subarray(4)), commit: 'taken' }];
    } else if (kind === 'reveal' && by.seat === seat) {
      answers[number(payload)][0].reveal = 'taken';
    } else if (kind === 'left_out') {
      lists.get(number(payload)).seats[payload[4]] ??= { left_out: LEFT_OUT[payload[5]] };
    }
  }
  const kept = { sessions: [id], lists: [...lists].map(([deck, commitments]) => ({ session: id, deck, seat, commitments })) };
  return { seat, kept, answers };
}

test('a browser finds its own seeds in the order, and the commitments that it kept', () => {
  const record = recorded('blackout --matches 1 --max-deals 2 --players 3 --seed 5');
  const own = witnessed(record, 1);
  const decks = own.kept.lists.length;
  assert.ok(decks > 1);
  const found = verify(record, own);
  for (const kind of ['own_seed', 'kept']) {
    assert.deepEqual(of(found, kind).map(({ ok }) => ok), Array(decks).fill(true), kind);
  }
  assert.deepEqual(of(found, 'session'), []);
  const why = (own, kind) => of(verify(record, own), kind).map(({ ok, why }) => [ok, why]);
  // Another device has sent them; or this browser has forgotten them.
  assert.deepEqual(why({ ...own, answers: {} }, 'own_seed'), Array(decks).fill([null, 'elsewhere']));
  const slower = { 0: [{ commitment: '00'.repeat(32), commit: 'already' }] };
  assert.deepEqual(why({ ...own, answers: slower }, 'own_seed')[0], [null, 'elsewhere']);
  // The house had taken another.
  const other = { 0: [{ commitment: '00'.repeat(32), commit: 'taken' }] };
  assert.deepEqual(why({ ...own, answers: other }, 'own_seed')[0], [false, 'replaced']);
  assert.deepEqual(why({ ...own, kept: { sessions: [], lists: [] } }, 'kept'), Array(decks).fill([null, 'not_kept']));

  // Committed, but not revealed yet.
  const lines = record.split('\n');
  const going = `${lines.slice(0, lines.findIndex((line) => line.includes('"reveal"'))).join('\n')}\n`;
  const pending = verify(going, own);
  assert.deepEqual(of(pending, 'own_seed').map(({ ok, why }) => [ok, why]), [[null, 'pending']]);
  assert.deepEqual(of(pending, 'kept').map(({ ok }) => ok), [true]);
  assert.ok(pending.ok, 'a deck that is being made is not missed');
});

test('a record that is not the one that was kept is found out, by the page and by the program', () => {
  const record = recorded('blackout --matches 1 --max-deals 3 --players 3 --seed 5');
  const own = witnessed(record, 1);
  const [first, ...others] = own.kept.lists;
  const lists = (changed) => ({ ...own, kept: { ...own.kept, lists: changed } });
  const list = (change) => lists([{ ...first, commitments: { ...first.commitments, ...change } }, ...others]);
  const foreign = '5a'.repeat(32);
  const seats = (at, pledge) => replaced(first.commitments.seats, at, pledge);
  const cases = [
    ['another commitment of the house, as of one that tried 230 seeds', list({ house: foreign }), 'kept', 'differs'],
    ['another time to publish', list({ publish: 'after_match' }), 'kept', 'differs'],
    ['another commitment of somebody else', list({ seats: seats(0, { commitment: foreign }) }), 'kept', 'differs'],
    ['somebody left out who had committed', list({ seats: seats(2, { left_out: 'silent' }) }), 'kept', 'differs'],
    ['two lists', lists([first, { ...first, commitments: { ...first.commitments, house: foreign } }, ...others]), 'kept', 'twice'],
    ['a deck that was thrown away', lists([...own.kept.lists, { ...first, deck: 99 }]), 'kept', 'missing'],
    ['a second session', { ...own, kept: { ...own.kept, sessions: [...own.kept.sessions, foreign] } }, 'session', 'other_session'],
  ];
  const { id } = JSON.parse(record.split('\n')[0]).fairdeal;
  for (const [name, known, kind, why] of cases) {
    const found = verify(record, known);
    const wrong = found.checks.filter(({ ok }) => ok === false);
    assert.deepEqual(wrong.map((check) => [check.kind, check.why]), [[kind, why]], name);
    assert.equal(found.ok, false, name);
    // What the page offers for download tells the program the same.
    const page = new Kept('00000000000000ab', new Storage());
    for (const session of known.kept.sessions) page.begin(session);
    for (const { session, deck, seat, commitments } of known.kept.lists) page.see(session, deck, seat, commitments);
    assert.deepEqual(judged([record], exported(page, id, 1, own.answers)), [false], name);
  }
  const honest = new Kept('00000000000000ab', new Storage());
  for (const { session, deck, seat, commitments } of own.kept.lists) honest.see(session, deck, seat, commitments);
  assert.deepEqual(judged([record], exported(honest, id, 1, own.answers)), [true]);
});

test('seats left out are named with the reason, and a seat that did answer is told so', () => {
  const record = recorded('holdem --matches 1 --max-deals 2 --players 3 --seed 6');
  const without = (seat, why) =>
    rewritten(record, (said) => {
      if (said.by.seat !== seat) return [said];
      const deck = said.payload.subarray(0, 4);
      const out = { by: 'house', kind: 'left_out', payload: Uint8Array.from([...deck, seat, why]) };
      return said.kind === 'commit' ? [out] : [];
    });
  const reasons = [[0, true], [1, false], [2, false], [3, true], [4, true], [5, true], [6, true], [7, false]];
  const copies = reasons.map(([why]) => without(2, why));
  assert.deepEqual(copies.map(valid), reasons.map(([, fits]) => fits));
  assert.deepEqual(judged(copies), reasons.map(([, fits]) => fits));

  const computer = verify(without(2, 3));
  for (const { ok, seats } of of(computer, 'left_out')) {
    assert.deepEqual([ok, seats], [null, [{ seat: 2, why: 'computer' }]]);
  }
  for (const { seats } of of(computer, 'seeds')) assert.deepEqual(seats, [0, 1]);
  // A page that knows better says so; one whose answer may have been lost does not.
  const own = (why, answer) => of(verify(without(2, why), { seat: 2, answers: { 0: [{ commitment: '00'.repeat(32), ...answer }] } }), 'own_seed')[0];
  assert.deepEqual([own(0, { commit: 'sent' }).ok, own(0, { commit: 'sent' }).said], [null, 'no_commitment']);
  for (const commit of ['taken', 'already', 'ignored']) {
    for (const why of [0, 4, 5]) assert.deepEqual([own(why, { commit }).ok, own(why, { commit }).why], [false, 'left_out'], `${commit} ${why}`);
    for (const why of [3, 6]) assert.equal(own(why, { commit }).ok, null, `${commit} ${why}: the player may have left`);
  }
  assert.equal(own(3, { commit: 'taken', reveal: 'taken' }).ok, false);
  assert.equal(own(3, { commit: 'taken', reveal: 'sent' }).ok, null);

  // Committed and taken, and then left out for not revealing.
  const silenced = rewritten(record, (said) => {
    if (said.by.seat !== 2 || said.kind !== 'reveal') return [said];
    return [{ by: 'house', kind: 'left_out', payload: Uint8Array.from([...said.payload.subarray(0, 4), 2, 1]) }];
  });
  const { answers } = witnessed(record, 2);
  const without1 = (reveal) => verify(silenced, { seat: 2, answers: { 0: [{ ...answers[0][0], reveal }] } });
  assert.deepEqual(['taken', 'ignored', 'sent', undefined].map((reveal) => of(without1(reveal), 'own_seed')[0].ok), [false, false, null, null]);
});

test('a browser checks the cards that only it was shown', () => {
  const record = recorded('ongdu --matches 1 --max-deals 1 --players 2 --seed 7');
  // Proofs of open cards have the same form.
  const openings = evidence(record).flatMap(({ kind, payload }) => (kind === 'open' ? opened(payload) : []));
  assert.ok(openings.length > 5);
  const check = (own) => of(verify(record, { seat: 0, openings: own }), 'own_cards').map(({ ok }) => ok);
  assert.ok(check(openings).every((ok) => ok === true));
  const last = openings.at(-1);
  const spoiled = [
    { ...last, card: last.card === '2C' ? '3C' : '2C' },
    { ...last, card: 'XX' },
    { ...last, salt: last.salt.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) },
    { ...last, path: last.path.slice(1) },
    { ...last, path: [...last.path, last.salt] },
    { ...last, path: ['no'] },
    { ...last, slot: '99:0' },
  ];
  for (const wrong of spoiled) assert.deepEqual(check([wrong]), [false], JSON.stringify(wrong));
});

function opened(payload) {
  const view = new DataView(payload.slice().buffer);
  const openings = [];
  for (let at = 2; at < payload.length; ) {
    const hashes = view.getUint16(at + 39, true);
    const bytes = (from, length) => hex(payload.subarray(at + from, at + from + length));
    openings.push({
      slot: `${view.getUint32(at, true)}:${view.getUint16(at + 4, true)}`,
      card: cardName(payload[at + 6]),
      salt: bytes(7, 32),
      path: Array.from({ length: hashes }, (_, i) => bytes(41 + 32 * i, 32)),
    });
    at += 41 + 32 * hashes;
  }
  return openings;
}

test('a commitment is the hash that the house computes', () => {
  const record = recorded('holdem --matches 1 --max-deals 1 --players 2 --seed 8');
  const { id } = JSON.parse(record.split('\n')[0]).fairdeal;
  const said = evidence(record).filter(({ by }) => by.seat === 1);
  const [committed, revealed] = ['commit', 'reveal'].map((kind) => said.find((line) => line.kind === kind).payload);
  const seed = { seed: revealed.subarray(4, 36), nonce: revealed.subarray(36) };
  assert.equal(commitment(id, 0, 1, seed), hex(committed.subarray(4)));
  const [one, two] = [makeSeed(), makeSeed()];
  assert.equal(new Set([one.seed, one.nonce, two.seed, two.nonce].map(hex)).size, 4);
  assert.equal(one.seed.length, 32);
});

test('seeds survive a reload, do not mix, and are kept for the check', () => {
  const session = 'ab'.repeat(32);
  const storage = new Storage();
  const page = () => new Seeds(session, 2, storage);
  const committed = page().commit(3);
  assert.equal(page().commit(3), committed, 'a second page of the same player sends the same');
  assert.notEqual(page().commit(4), committed);
  assert.notEqual(new Seeds(session, 1, storage).commit(3), committed);
  const seed = page().reveal(3, committed);
  assert.equal(commitment(session, 3, 2, { seed: unhex(seed.seed), nonce: unhex(seed.nonce) }), committed);
  assert.equal(page().reveal(3, '00'.repeat(32)), null);
  page().note(3, committed, { commit: 'sent' });
  page().note(3, committed, { commit: 'taken' });
  page().note(3, committed, { commit: 'already' });
  page().note(3, committed, { reveal: 'sent' });
  assert.deepEqual(page().answers()[3], [{ commitment: committed, commit: 'taken', reveal: 'sent' }]);
  assert.deepEqual(Object.keys(page().answers()), ['3', '4']);

  // Two pages made a seed at the same moment: the recorded one counts.
  const [one, two] = [new Storage(), new Storage()].map((own) => [new Seeds(session, 2, own).commit(9), own]);
  for (const [, own] of [one, two]) for (const [key, value] of own.items) storage.setItem(key, value);
  assert.notEqual(one[0], two[0]);
  assert.ok(page().reveal(9, one[0]) && page().reveal(9, two[0]));
  page().note(9, two[0], { reveal: 'sent' });
  assert.equal(page().reveal(9, one[0]), null);

  for (const key of [...storage.items.keys()]) if (key.includes('/2/4/')) storage.setItem(key, '{"seed":1}');
  assert.equal(page().answers()[4], undefined, 'a damaged seed is not used');
});

test('seeds that are no longer needed are forgotten, oldest first, but none that is still to be revealed', () => {
  const storage = new Storage();
  const seeds = (session) => new Seeds(session.repeat(32), 0, storage);
  const awaited = seeds('aa').commit(0);
  for (let deck = 0; deck < 519; deck += 1) {
    const taken = { seed: '00'.repeat(32), nonce: '11'.repeat(32), revealed: true, at: deck };
    storage.setItem(`fairdeal/seed/${'bb'.repeat(32)}/0/${deck}/22`, JSON.stringify(taken));
  }
  seeds('bb').note(519, seeds('bb').commit(519), { reveal: 'sent' });
  const answers = seeds('bb').answers();
  assert.equal(Object.keys(answers).length, 501);
  assert.ok(answers[519] && answers[19] && !answers[18]);
  assert.ok(seeds('aa').reveal(0, awaited));
  // Nobody asked for it, and nobody will.
  for (const [key, value] of storage.items) storage.setItem(key, JSON.stringify({ ...JSON.parse(value), at: 1 }));
  seeds('cc').forget(0);
  assert.equal(storage.items.size, 0);
});

test('a browser with full storage still takes part', () => {
  const session = 'ef'.repeat(32);
  class Full extends Storage {
    room = 0;
    setItem(key, value) {
      if (!this.items.has(key) && this.items.size >= this.room) throw new Error('QuotaExceededError');
      super.setItem(key, value);
    }
  }
  const storage = new Full();
  const page = () => new Seeds(session, 0, storage);
  const committed = page().commit(0);
  assert.equal(page().commit(0), committed);
  assert.ok(page().reveal(0, committed));
  page().note(0, committed, { reveal: 'taken' });
  assert.equal(page().answers()[0][0].reveal, 'taken');
  assert.equal(storage.items.size, 0);

  // Old seeds that fill it make room.
  storage.room = 2;
  for (const deck of [1, 2, 3]) page().note(deck, page().commit(deck), { reveal: 'taken' });
  assert.deepEqual(Object.keys(page().answers()), ['0', '3']);
});

test('it all works in a browser', async () => {
  const [, record] = samples.find(([name]) => name === 'romme after_deal');
  const server = createServer(async (request, response) => {
    const name = path.basename(request.url);
    const type = name.endsWith('.js') ? 'text/javascript' : 'text/html';
    const body = name.endsWith('.js') ? await readFile(path.join(ASSETS, name)) : '<!doctype html><title>Table</title>';
    response.writeHead(200, { 'content-type': type, 'content-security-policy': "default-src 'self'" }).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${server.address().port}/`;
  const browser = await startBrowser();
  try {
    const person = await open(browser, origin);
    person.allow(/favicon/);
    await person.page.goto(origin);
    const found = await person.page.evaluate(async (text) => (await import('/verify.js')).verify(text), record);
    assert.deepEqual(JSON.parse(JSON.stringify(found)), JSON.parse(JSON.stringify(verify(record))));
    assert.ok(found.ok && found.complete);
    const commit = () =>
      person.page.evaluate(async () => new (await import('/fairness.js')).Seeds('cd'.repeat(32), 0).commit(0));
    const committed = await commit();
    await person.page.reload();
    assert.equal(await commit(), committed);
    await person.close();
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
});

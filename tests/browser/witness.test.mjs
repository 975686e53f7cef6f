// The page's half of a shuffle: what it keeps before it answers, whom it does not answer, and what it says about it.
// The house here is one that lies.

import assert from 'node:assert/strict';
import { createHash, webcrypto } from 'node:crypto';
import { test } from 'node:test';

import { Answers } from '../../crates/server/assets/answers.js';
import { answer, suspicion } from '../../crates/server/assets/fair.js';
import { Seeds } from '../../crates/server/assets/fairness.js';
import { commitmentsDigest, hex } from '../../crates/server/assets/house.js';
import { Kept, exported } from '../../crates/server/assets/kept.js';
import { verdicts } from '../../crates/server/assets/verdicts.js';
import { verify } from '../../crates/server/assets/verify.js';
import { WORDS, fourWords } from '../../crates/server/assets/words.js';
import { Storage, recorded } from './records.mjs';

// Node has had this for pages, and under this name, since version 19.
globalThis.crypto ??= webcrypto;

const TABLE = '00000000000000ab';
const SESSION = 'ab'.repeat(32);
const OTHER_SESSION = 'cd'.repeat(32);
const SEAT = 1;

const hash = (...words) => createHash('sha256').update(words.join()).digest('hex');

/** A browser, which may have several pages; each is as good as one that was loaded again. */
function browser(storage = new Storage()) {
  const seedsOf = (session, seat) => new Seeds(session, seat, storage);
  const kept = () => new Kept(TABLE, storage);
  return {
    storage,
    kept,
    seeds: (session = SESSION) => seedsOf(session, SEAT),
    ask: (request) => answer({ session: SESSION, seat: SEAT, deck: 0, left: 10_000, ...request }, kept(), seedsOf),
    suspicion: () => suspicion(kept(), seedsOf),
  };
}

/** What the house shows of everybody. */
const all = (mine, house = 'house') => ({
  publish: 'after_deal',
  house: hash(house),
  seats: [{ commitment: hash('Ada') }, { commitment: mine }, { left_out: 'computer' }],
});

/** A page that has committed, and what it committed to. */
function committed(page = browser()) {
  const { command } = page.ask({ asked: 'commitments' });
  return { page, mine: command.commit.commitment };
}

test('a page keeps everybody’s commitments before it reveals', () => {
  const { page, mine } = committed();
  assert.deepEqual(page.kept().sessions(), [SESSION]);
  const { command } = page.ask({ asked: 'seeds', commitments: all(mine) });
  assert.match(command.reveal.seed, /^[0-9a-f]{64}$/);
  assert.deepEqual(page.kept().lists(), [{ session: SESSION, deck: 0, seat: SEAT, commitments: all(mine) }]);
  assert.equal(page.suspicion(), null);
  // The same again, by a page that was loaded again or stands in a second tab.
  assert.deepEqual(page.ask({ asked: 'seeds', commitments: all(mine) }).command, command);
  assert.equal(page.kept().lists().length, 1);
});

test('a house that does not show everybody’s commitments gets no seed', () => {
  const { page, mine } = committed();
  const shown = all(mine);
  const lists = [undefined, null, {}, { ...shown, house: undefined }, { ...shown, house: '00' }, { ...shown, publish: 'soon' }];
  lists.push({ ...shown, seats: [] }, { ...shown, seats: [...shown.seats, {}] }, { ...shown, seats: [...shown.seats, { left_out: 'bored' }] });
  lists.push({ ...shown, seats: [{ commitment: mine, left_out: 'gone' }, ...shown.seats.slice(1)] });
  for (const commitments of lists) {
    const { command, suspicion: wrong } = page.ask({ asked: 'seeds', commitments });
    assert.deepEqual([command, wrong], [undefined, { why: 'no_list', deck: 0 }], JSON.stringify(commitments));
  }
  assert.ok(page.ask({ asked: 'seeds', commitments: shown }).command);
});

test('a house that tries 230 seeds of its own gets one answer', () => {
  const { page, mine } = committed();
  assert.ok(page.ask({ asked: 'seeds', commitments: all(mine, 'seed 0') }).command);
  for (let seed = 1; seed < 230; seed += 1) {
    const asked = page.ask({ asked: 'seeds', commitments: all(mine, `seed ${seed}`) });
    assert.equal(asked.command, undefined);
    assert.deepEqual(asked.suspicion, { why: 'other_commitments', deck: 0 });
  }
  // After that the page does not answer this house at all, also when it is loaded again.
  for (const request of [{ asked: 'commitments', deck: 1 }, { asked: 'seeds', commitments: all(mine, 'seed 0') }]) {
    assert.deepEqual(page.ask(request), { suspicion: { why: 'other_commitments', deck: 0 } });
  }
});

test('a house that begins again under another session gets nothing', () => {
  const { page, mine } = committed();
  page.ask({ asked: 'seeds', commitments: all(mine) });
  const again = page.ask({ asked: 'commitments', session: OTHER_SESSION });
  assert.deepEqual(again, { suspicion: { why: 'other_session' } });
  assert.deepEqual(page.seeds(OTHER_SESSION).answers(), {}, 'not even a commitment was made');
  assert.deepEqual(page.suspicion(), { why: 'other_session' });
  // It stands in what can be downloaded.
  const lines = exported(page.kept(), SESSION, SEAT, page.seeds().answers()).trimEnd().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(lines.map(({ session, deck }) => [session, deck]), [[SESSION, 0], [OTHER_SESSION, 0]]);
  // Another table is another matter.
  const elsewhere = new Kept('00000000000000cd', page.storage);
  assert.ok(answer({ session: OTHER_SESSION, seat: SEAT, deck: 0, asked: 'commitments' }, elsewhere, () => page.seeds(OTHER_SESSION)).command);
});

test('a house that changes a commitment or leaves somebody else out gets nothing', () => {
  const changes = [
    (shown) => ({ ...shown, publish: 'never' }),
    (shown) => ({ ...shown, seats: [{ commitment: hash('Eve') }, ...shown.seats.slice(1)] }),
    (shown) => ({ ...shown, seats: [{ left_out: 'no_commitment' }, ...shown.seats.slice(1)] }),
    (shown) => ({ ...shown, seats: [...shown.seats.slice(0, 2), { left_out: 'gone' }] }),
  ];
  for (const change of changes) {
    const { page, mine } = committed();
    page.ask({ asked: 'seeds', commitments: all(mine) });
    assert.deepEqual(page.ask({ asked: 'seeds', commitments: change(all(mine)) }), { suspicion: { why: 'other_commitments', deck: 0 } });
    assert.equal(page.kept().lists().length, 2, 'both are kept, as a proof');
  }
});

test('a house that takes a commitment and shows another is told apart from a second device', () => {
  // A second device was slower: the house said that it has one of this seat.
  const slower = committed();
  slower.page.seeds().note(0, slower.mine, { commit: 'already' });
  assert.deepEqual(slower.page.ask({ asked: 'seeds', commitments: all(hash('my phone')) }), {});
  assert.equal(slower.page.suspicion(), null);
  assert.equal(slower.page.kept().lists().length, 1, 'it has seen the commitments all the same');
  assert.ok(slower.page.ask({ asked: 'commitments', deck: 1 }).command, 'and answers for the next deck');

  const replaced = committed();
  replaced.page.seeds().note(0, replaced.mine, { commit: 'taken' });
  const asked = replaced.page.ask({ asked: 'seeds', commitments: all(hash('the house')) });
  assert.deepEqual(asked, { suspicion: { why: 'replaced', deck: 0 } });
  assert.deepEqual(replaced.page.suspicion(), { why: 'replaced', deck: 0 });
});

test('two tabs that make a seed at the same moment do not suspect each other', () => {
  const [one, two] = [committed(), committed()];
  const shared = new Storage();
  for (const { page } of [one, two]) for (const [key, value] of page.storage.items) shared.setItem(key, value);
  const page = browser(shared);
  page.seeds().note(0, one.mine, { commit: 'taken' });
  page.seeds().note(0, two.mine, { commit: 'already' });
  const asked = [page, browser(shared)].map((tab) => tab.ask({ asked: 'seeds', commitments: all(one.mine) }));
  assert.ok(asked[0].command && JSON.stringify(asked[0]) === JSON.stringify(asked[1]));
  assert.equal(page.suspicion(), null);
});

test('what became of an answer is what the house said, or nothing where the connection may have been to blame', () => {
  const played = (script) => {
    const notes = [];
    const answers = new Answers((deck, commitment, how) => notes.push(how.reveal));
    const sent = (left = 10_000) => answers.sent({ deck: 3, what: 'reveal', commitment: 'c', left }, 0);
    script(answers, sent);
    return notes.at(-1);
  };
  const heard = (how, now) => (answers, sent) => { sent(); answers.heard({ deck: 3, what: 'reveal', how }, now); };
  assert.equal(played(heard('taken', 50)), 'taken');
  assert.equal(played(heard('already', 50)), 'already');
  assert.equal(played(heard('late', 50)), 'ignored', 'there was time, and the answer came back at once');
  assert.equal(played(heard('late', 12_000)), 'sent', 'the connection may have been slow');
  assert.equal(played((answers, sent) => { sent(800); answers.heard({ deck: 3, what: 'reveal', how: 'late' }, 50); }), 'sent', 'there was little time');
  // The house goes on and never says a word about it.
  const silent = (answers, sent) => { sent(); answers.news(null, 9_000); answers.news(null, 20_000); };
  assert.equal(played(silent), 'ignored');
  const asksOn = (answers, sent) => { sent(); for (const now of [3_000, 9_000]) answers.news({ deck: 3, asked: 'seeds' }, now); };
  assert.equal(played(asksOn), 'sent');
  // Messages that were held up come all at once.
  const heldUp = (answers, sent) => { sent(); answers.news(null, 5); answers.heard({ deck: 3, what: 'reveal', how: 'late' }, 100); };
  assert.equal(played(heldUp), 'sent');
  const lost = (answers, sent) => { sent(); answers.news(null, 9_000); answers.closed(); answers.news(null, 20_000); };
  assert.equal(played(lost), 'sent');
});

test('what is kept has an end: old tables are forgotten, and none that is played', () => {
  const storage = new Storage();
  const page = browser(storage);
  const { mine } = committed(page);
  page.ask({ asked: 'seeds', commitments: all(mine) });
  const now = Date.now();
  for (let table = 0; table < 2500; table += 1) {
    storage.setItem(`fairdeal/kept/${table}/session/${SESSION}`, JSON.stringify({ at: now - 2500 + table }));
  }
  page.ask({ asked: 'commitments', deck: 1 });
  page.ask({ asked: 'seeds', deck: 1, commitments: all(page.seeds().commit(1)) });
  const tables = [...storage.items.keys()].filter((key) => key.startsWith('fairdeal/kept/'));
  assert.ok(tables.length <= 2001, `${tables.length}`);
  assert.ok(!storage.items.has(`fairdeal/kept/0/session/${SESSION}`) && storage.items.has(`fairdeal/kept/2499/session/${SESSION}`));
  assert.equal(page.kept().lists().length, 2);
  // After two months it is forgotten, however little there is.
  for (const [key, value] of storage.items) {
    if (key.startsWith('fairdeal/kept/2')) storage.setItem(key, JSON.stringify({ ...JSON.parse(value), at: 1 }));
  }
  page.ask({ asked: 'seeds', deck: 2, commitments: all(page.seeds().commit(2)) });
  assert.ok(![...storage.items.keys()].some((key) => key.startsWith('fairdeal/kept/2')));
});

test('a browser that keeps nothing plays on, still refuses a second try, and says that it cannot check', () => {
  class Full extends Storage {
    setItem() { throw new Error('QuotaExceededError'); }
  }
  // What lasts as long as the page is shared by all of it, so this table has a name of its own.
  const storage = new Full(), kept = () => new Kept('00000000000000ff', storage);
  assert.ok(kept().lasts);
  const ask = (request) => answer({ session: OTHER_SESSION, seat: 0, deck: 0, ...request }, kept(), () => new Seeds(OTHER_SESSION, 0, storage));
  const { command } = ask({ asked: 'commitments' });
  const list = (house) => ({ publish: 'never', house: hash(house), seats: [{ commitment: command.commit.commitment }] });
  assert.ok(ask({ asked: 'seeds', commitments: list('one') }).command);
  assert.equal(kept().lasts, false);
  assert.equal(ask({ asked: 'seeds', commitments: list('two') }).command, undefined);
});

test('the words are those of the program', () => {
  assert.equal(WORDS.length, 256);
  assert.equal(createHash('sha256').update(WORDS.join(' ')).digest('hex'), 'f40781129fc9d94f3a631d4699a03f85e63f87f636d2406f85c39c801dc789d0');
  const seats = [{ commitment: '01'.repeat(32) }, { left_out: 'computer' }, { commitment: '02'.repeat(32) }];
  const list = { publish: 'never', house: '03'.repeat(32), seats };
  assert.equal(hex(commitmentsDigest('09'.repeat(32), 7, list)), '0f31ba3a46dd42f6a955e4e2bc0eeaa5c3d313f19568a225347f6c107a19abb7');
  assert.equal(fourWords(commitmentsDigest('09'.repeat(32), 7, list)).join(' '), 'badge cherry pyramid copper');
  assert.equal(commitmentsDigest('09'.repeat(32), 7, { ...list, publish: 'soon' }), null);
});

test('every deal has one verdict and one sentence about what cannot be checked, in both languages', () => {
  const [english, german] = [(one) => one, (_, two) => two];
  for (const game of ['holdem', 'romme']) {
    const record = recorded(`${game} --matches 1 --max-deals 3 --players 3 --seed 4`);
    const found = { ...verify(record), game, names: ['Ada', 'Bob', 'Cleo'], seat: undefined };
    const told = verdicts(found, english);
    assert.deepEqual(told.map(({ deal, ok }) => [deal, ok]), [[1, true], [2, true], [3, true]], game);
    for (const { text, open, details } of told) {
      assert.equal(/proven/.test(text), game === 'romme', text);
      assert.equal(open.includes('keeps its own'), game === 'holdem', open);
      assert.match(open, /^This cannot be checked: .* shows them to anybody\.$/);
      assert.ok(details.length >= 5 && details.every((one) => one.text && !/undefined|null/.test(one.text)), JSON.stringify(details));
    }
    for (const { text, open, details } of verdicts(found, german)) {
      for (const words of [text, open, ...details.map((one) => one.text)]) assert.doesNotMatch(words, /\b(the|is|are|of|cards)\b|undefined/, words);
    }
    // The last deal goes on.
    const going = `${record.split('\n').slice(0, -12).join('\n')}\n`;
    assert.equal(verdicts({ ...found, ...verify(going) }, english).at(-1).ok, null, game);
    // Something is wrong with the whole, and comes first.
    const twice = verify(record, { seat: 0, kept: { sessions: [SESSION, JSON.parse(record.split('\n')[0]).fairdeal.id], lists: [] }, answers: {} });
    const [first, next] = verdicts({ ...found, ...twice, seat: 0 }, english);
    assert.deepEqual([first.deal, first.ok], [null, false]);
    assert.match(first.text, /began this table twice/);
    assert.match(next.open, /this browser kept nothing about it.*another device of yours/);
  }
});

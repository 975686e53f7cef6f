// What this browser has seen of the shuffles at a table: which session it is, and all commitments to each deck. It is
// kept before the browser answers, so that a house that asks twice is not answered twice, and so that the record can be
// compared with it afterwards. docs/verify.md says why.
//
// Every list has its own name, made from its content. So two pages of one browser never overwrite each other's lists,
// and a house that shows two lists for one deck leaves both here.

import { commitmentsDigest, hex } from './house.js';
import { brief, names, ownStorage, put, read } from './storage.js';

const PREFIX = 'fairdeal/kept';

/** A table is forgotten after this many milliseconds. */
const LONG_OVER = 60 * 24 * 3600 * 1000;

/** The number of lists to keep: for all other tables together, and for this one. */
const MOST_LISTS = 2000;

/** What was seen at one table. */
export class Kept {
  constructor(table, storage = ownStorage()) {
    this.table = table;
    this.storage = storage;
    this.start = `${PREFIX}/${table}/`;
    this.swept = false;
  }

  /** Whether it will outlast the page. */
  get lasts() {
    return this.storage !== brief && names(brief, this.start).length === 0;
  }

  /** The sessions of this table, in the order in which they were seen; an honest house has one. */
  sessions() {
    const seen = this.entries('session/').sort((one, two) => one.at - two.at);
    return seen.map(({ name }) => name);
  }

  /** The lists, `{ session, deck, seat, commitments }`, by deck; an honest house has one for each. */
  lists() {
    const lists = this.entries('deck/').map(({ session, deck, seat, commitments }) => ({ session, deck, seat, commitments }));
    return lists.sort((one, two) => one.deck - two.deck);
  }

  /** Keeps a session. Two are enough to prove that the house is not honest. */
  begin(session) {
    const seen = this.sessions();
    if (!seen.includes(session) && seen.length < 2) this.keep(`session/${session}`, {});
  }

  /** Keeps a list of commitments. Two for one deck are proof enough. */
  see(session, deck, seat, commitments) {
    const before = this.entries(`deck/${session}/${deck}/`), name = hex(commitmentsDigest(session, deck, commitments)).slice(0, 16);
    if (before.length > 1 || before.some((list) => list.name === name)) return;
    this.keep(`deck/${session}/${deck}/${name}`, { session, deck, seat, commitments });
  }

  /**
   * What the house has done that an honest one does not: `other_session` if it began twice, `other_commitments` with
   * the deck if it showed two lists; null if neither.
   */
  suspicion() {
    if (this.sessions().length > 1) return { why: 'other_session' };
    const decks = this.lists().map(({ deck }) => deck);
    const twice = decks.find((deck, i) => decks.indexOf(deck) !== i);
    return twice === undefined ? null : { why: 'other_commitments', deck: twice };
  }

  keep(name, what) {
    const key = `${this.start}${name}`, text = JSON.stringify({ ...what, at: Date.now() });
    // Once per page, and when there are too many.
    if (!this.swept || names(this.storage, `${PREFIX}/`).length > MOST_LISTS) this.forget(MOST_LISTS);
    this.swept = true;
    const room = names(this.storage, this.start).length < MOST_LISTS;
    if (room && put(this.storage, key, text)) return;
    this.forget(0);
    if (!room || !put(this.storage, key, text)) brief.setItem(key, text);
  }

  /** Forgets old tables, then the oldest of the others until at most `most` lists are left. */
  forget(most) {
    const tables = new Map();
    for (const key of names(this.storage, `${PREFIX}/`)) {
      const table = key.slice(PREFIX.length + 1).split('/', 1)[0], { at = 0 } = read(this.storage, key) ?? {};
      const { keys, last } = tables.get(table) ?? { keys: [], last: 0 };
      tables.set(table, { keys: [...keys, key], last: Math.max(last, at) });
    }
    let count = [...tables.values()].reduce((sum, { keys }) => sum + keys.length, 0);
    const others = [...tables].filter(([table]) => table !== this.table).sort(([, one], [, two]) => one.last - two.last);
    for (const [, { keys, last }] of others) {
      if (count <= most && Date.now() - last < LONG_OVER) continue;
      for (const key of keys) this.storage.removeItem(key);
      count -= keys.length;
    }
  }

  entries(under) {
    const start = `${this.start}${under}`;
    const all = [this.storage, brief].flatMap((storage) => names(storage, start).map((key) => [key, read(storage, key)]));
    return [...new Map(all)].flatMap(([key, kept]) => (kept ? [{ ...kept, name: key.slice(start.length) }] : []));
  }
}

/** Whether this is a list of commitments with an entry for every seat. */
export function isList(commitments) {
  const { house, seats } = commitments ?? {};
  const isHash = (text) => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);
  const isPledge = (one) => isHash(one?.commitment) !== (typeof one?.left_out === 'string');
  if (!isHash(house) || !Array.isArray(seats) || seats.length === 0 || !seats.every(isPledge)) return false;
  return commitmentsDigest('00', 0, commitments) !== null;
}

/**
 * What this browser has kept of a table, as a file: a line for every deck. Nothing in it is secret. `answers` are those
 * of `Seeds`, by deck.
 */
export function exported(kept, session, seat, answers) {
  const lists = kept.lists().filter((list) => list.seat === seat || seat === undefined);
  const decks = [...new Set([...lists.map(({ deck }) => deck), ...Object.keys(answers).map(Number)])].sort((one, two) => one - two);
  const lines = decks.flatMap((deck) => {
    const shown = lists.filter((list) => list.deck === deck);
    const own = ownAnswer(answers[deck], shown[0]?.commitments.seats[seat]?.commitment);
    const line = ({ session: of, commitments }) => ({ table: kept.table, session: of, seat, deck, commitments, own });
    return (shown.length ? shown : [{ session }]).map((list) => JSON.stringify(line(list)));
  });
  // A session about which nothing else is known is listed, too: an honest house has only one.
  const bare = kept.sessions().filter((one) => !lists.some((list) => list.session === one) && (one !== session || !lines.length));
  lines.push(...bare.map((one) => JSON.stringify({ table: kept.table, session: one, seat, deck: 0 })));
  return lines.map((line) => `${line}\n`).join('');
}

/** The commitment of this browser that counts for a deck: the one on record, or the one taken. */
function ownAnswer(answers = [], onRecord) {
  const sent = answers.filter(({ commit }) => commit !== undefined);
  const own = sent.find(({ commitment }) => commitment === onRecord) ?? sent.find(({ commit }) => commit === 'taken') ?? sent[0];
  return own && { commitment: own.commitment, commit: own.commit, reveal: own.reveal };
}

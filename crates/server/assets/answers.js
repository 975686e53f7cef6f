// Tracks the answers that this page sends to the house. The house confirms each one that it takes. A house that leaves a
// seat out claims that no answer came in time; if the page knows better, "Verify" says so. A page knows better only if
// its connection held and there was enough time; otherwise the answer may really have been lost or late.

/** At least this many milliseconds must have been left, by the house's own clock. */
const GOOD_TIME = 5000;

/** A refusal that took longer than this may be due to the connection. */
const ROUND_TRIP = 5000;

/** If the house moves on this soon after an answer, messages may have been delayed. */
const HELD_UP = 1000;

/** Answers on their way over one connection. `note(deck, commitment, { commit | reveal })` keeps their fate. */
export class Answers {
  constructor(note) {
    this.note = note;
    this.open = new Map();
  }

  /** An answer was sent: `what` is `commit` or `reveal`; `left` milliseconds were left for it. */
  sent({ deck, what, commitment, left }, now) {
    this.open.set(`${deck}/${what}`, { deck, what, commitment, left, at: now, moved: null });
    this.note(deck, commitment, { [what]: 'sent' });
  }

  /** The house has responded to an answer: `how` is `taken`, `already` or `late`. */
  heard({ deck, what, how }, now) {
    const one = this.open.get(`${deck}/${what}`);
    if (!one) return;
    if (how === 'late') {
      if (now - one.at <= ROUND_TRIP) this.ignored(one);
    } else {
      this.note(deck, one.commitment, { [what]: how });
    }
    this.open.delete(`${deck}/${what}`);
  }

  /** Whether the answer to this request is on its way. */
  waits(request) {
    return this.open.has(keyOf(request));
  }

  /** The house sent an update, with its current request, if any. */
  news(request, now) {
    for (const [key, one] of this.open) {
      if (request && key === keyOf(request)) continue;
      one.moved ??= now;
      // It has moved on, had time to respond to the answer, and has not done so.
      if (now - one.moved > ROUND_TRIP) {
        this.ignored(one);
        this.open.delete(key);
      }
    }
  }

  /** The connection was lost: the fate of answers still on their way is unknown. */
  closed() {
    this.open.clear();
  }

  ignored({ deck, what, commitment, left, at, moved }) {
    const heldUp = moved !== null && moved - at < HELD_UP;
    if (left >= GOOD_TIME && !heldUp) this.note(deck, commitment, { [what]: 'ignored' });
  }
}

/** The key of the answer to a request. */
const keyOf = ({ deck, asked }) => `${deck}/${asked === 'seeds' ? 'reveal' : 'commit'}`;

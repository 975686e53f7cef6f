// What becomes of the answers that this page sends to the house. The house says whether it has taken one. A house that
// leaves a seat out says that nothing came in time; a page that knows better finds that in "Verify". A page knows better
// only if its connection held and there was time enough; else the answer may really have been lost, or late.

/** There must have been so many milliseconds left, by the house's own word. */
const GOOD_TIME = 5000;

/** A refusal that took longer than this to come back may be due to the connection. */
const ROUND_TRIP = 5000;

/** Where the house goes on so soon after an answer, messages may have been held up on their way. */
const HELD_UP = 1000;

/** Answers on their way over one connection. `note(deck, commitment, { commit | reveal })` keeps what became of them. */
export class Answers {
  constructor(note) {
    this.note = note;
    this.open = new Map();
  }

  /** An answer was sent: `what` is `commit` or `reveal`; so many milliseconds were left for it. */
  sent({ deck, what, commitment, left }, now) {
    this.open.set(`${deck}/${what}`, { deck, what, commitment, left, at: now, moved: null });
    this.note(deck, commitment, { [what]: 'sent' });
  }

  /** The house said what became of one: `how` is `taken`, `already` or `late`. */
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

  /** Is the answer to what the house asks for on its way? */
  waits(request) {
    return this.open.has(keyOf(request));
  }

  /** The house sent news, with what it asks for now, if anything. */
  news(request, now) {
    for (const [key, one] of this.open) {
      if (request && key === keyOf(request)) continue;
      one.moved ??= now;
      // It has gone on, had time to say what became of the answer, and has not.
      if (now - one.moved > ROUND_TRIP) {
        this.ignored(one);
        this.open.delete(key);
      }
    }
  }

  /** The connection was lost: nobody knows what became of those still on their way. */
  closed() {
    this.open.clear();
  }

  ignored({ deck, what, commitment, left, at, moved }) {
    const heldUp = moved !== null && moved - at < HELD_UP;
    if (left >= GOOD_TIME && !heldUp) this.note(deck, commitment, { [what]: 'ignored' });
  }
}

/** By what the answer to a question is known. */
const keyOf = ({ deck, asked }) => `${deck}/${asked === 'seeds' ? 'reveal' : 'commit'}`;

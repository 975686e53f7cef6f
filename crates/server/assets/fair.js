// Fairness at a table: this browser's part in shuffling, and the check of the house's evidence.
import { Answers } from "./answers.js";
import { Seeds } from "./fairness.js";
import { commitmentsDigest } from "./house.js";
import { Kept, exported, isList } from "./kept.js";
import { verdicts } from "./verdicts.js";
import { verify } from "./verify.js";
import { fourWords } from "./words.js";

/**
 * What the house has done that an honest one does not, by what this browser has kept; null if nothing. A suspicious
 * house gets no more seeds from here.
 */
export function suspicion(kept, seedsOf) {
  const twice = kept.suspicion(), [first, ...others] = kept.lists();
  if (twice || !first) return twice;
  // There is one session and one seat, so all answers are in one place.
  const answers = seedsOf(first.session, first.seat).answers();
  const replaced = ({ deck, seat, commitments }) => {
    const mine = answers[deck] ?? [], onRecord = commitments.seats[seat]?.commitment;
    return mine.some(({ commit }) => commit === "taken") && !mine.some(({ commitment }) => commitment === onRecord);
  };
  const list = [first, ...others].find(replaced);
  return list ? { why: "replaced", deck: list.deck } : null;
}

/**
 * What to do when the house asks for a commitment or for a seed: `{ command, sent }`, to be sent and noted; or
 * `{ suspicion }`; or nothing, if another device of this player has committed. Keeps what the house has shown first.
 */
export function answer(request, kept, seedsOf = (session, seat) => new Seeds(session, seat)) {
  const { deck, asked, session, seat, commitments, left = 0 } = request, seeds = seedsOf(session, seat);
  kept.begin(session);
  if (asked === "seeds") {
    if (!isList(commitments)) return { suspicion: { why: "no_list", deck } };
    kept.see(session, deck, seat, commitments);
  }
  const wrong = suspicion(kept, seedsOf);
  if (wrong) return { suspicion: wrong };
  if (asked !== "seeds") {
    const commitment = seeds.commit(deck);
    return { command: { commit: { deck, commitment } }, sent: { deck, what: "commit", commitment, left } };
  }
  const commitment = commitments.seats[seat]?.commitment, seed = commitment && seeds.reveal(deck, commitment);
  return seed ? { command: { reveal: { deck, ...seed } }, sent: { deck, what: "reveal", commitment, left } } : {};
}

/** The number of deals to list, apart from those with a problem. */
const MOST_LISTED = 30;

/** The page of one table: what it does automatically for fairness, and what it shows. */
export class Table {
  constructor(table, german, send) {
    Object.assign(this, { table, send, kept: new Kept(table), seat: undefined, session: undefined, woke: false });
    this.say = (english, deutsch) => (german ? deutsch : english);
    this.answers = new Answers((deck, commitment, how) => new Seeds(this.session, this.seat).note(deck, commitment, how));
    this.show();
  }

  /** An update from the table, with the house's request to this seat, if any; `wake` if it has stopped asking. */
  news(request, wake) {
    const now = performance.now();
    this.answers.news(request, now);
    if (request) this.asked(request, now);
    if (wake && !this.woke && !this.suspicion()) this.send({ command: { wake: {} } });
    this.woke = wake;
  }

  asked(request, now) {
    Object.assign(this, { seat: request.seat, session: request.session });
    // The same request again, while the answer is on its way.
    if (this.answers.waits(request)) return;
    const { command, sent, suspicion: wrong } = answer(request, this.kept);
    if (command && this.send({ command })) this.answers.sent(sent, now);
    this.show(wrong);
  }

  /** The house has said what became of an answer. */
  heard(answered) {
    this.answers.heard(answered, performance.now());
  }

  /** The connection was lost. */
  closed() {
    this.answers.closed();
    this.woke = false;
  }

  suspicion() {
    return suspicion(this.kept, (session, seat) => new Seeds(session, seat));
  }

  /** Shows the words of the last shuffle, whether what was seen is kept, and what is wrong with the house. */
  show(wrong = this.suspicion()) {
    const { say, kept } = this, part = (id) => document.getElementById(id);
    const alarm = part("alarm");
    const appears = wrong && alarm.hidden;
    alarm.hidden = !wrong;
    alarm.textContent = wrong ? alarmed(wrong, say) : "";
    if (appears) alarm.scrollIntoView({ block: "start" });
    const last = kept.lists().at(-1), words = part("words");
    words.hidden = !last;
    if (last) {
      const code = fourWords(commitmentsDigest(last.session, last.deck, last.commitments)).join(" ");
      words.querySelector("output").textContent = code;
      words.querySelector("small").textContent = say(`Shuffle ${last.deck + 1}`, `Mischung ${last.deck + 1}`);
    }
    part("keeping").hidden = kept.lasts;
    part("kept").hidden = kept.sessions().length === 0;
  }

  /** What this browser has kept of the table, as a file. */
  download() {
    const { kept } = this, [first] = kept.lists(), session = first?.session ?? kept.sessions()[0], seat = first?.seat ?? this.seat;
    const answers = seat === undefined ? {} : new Seeds(session, seat).answers();
    const address = URL.createObjectURL(new Blob([exported(kept, session, seat, answers)], { type: "application/jsonl" }));
    Object.assign(document.createElement("a"), { href: address, download: `fairdeal-${this.table}.kept.jsonl` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  /** Checks the record of the table; null if there is none yet. */
  async check() {
    const [record, own] = await Promise.all([
      fetch(`/tables/${this.table}/record`).then((answer) => (answer.ok ? answer.text() : null)),
      fetch(`/tables/${this.table}/openings`).then((answer) => (answer.ok ? answer.json() : {})),
    ]);
    if (record === null) return null;
    const { id, game, names = [] } = JSON.parse(record.split("\n", 1)[0]).fairdeal ?? {};
    const kept = { sessions: this.kept.sessions(), lists: this.kept.lists() };
    // A player who has left can still check what they have seen.
    const seat = own.seat ?? kept.lists[0]?.seat;
    const known = seat === undefined ? {} : { seat, kept, answers: new Seeds(id, seat).answers(), openings: own.openings };
    return { ...verify(record, known), game, names, seat };
  }

  /** Shows the check in a dialog. */
  async report(dialog) {
    const { say } = this, found = await this.check();
    dialog.replaceChildren();
    const add = (tag, text, parent = dialog) => parent.appendChild(Object.assign(document.createElement(tag), { textContent: text }));
    if (found === null) {
      add("p", say("There is nothing to check yet.", "Es gibt noch nichts nachzuprüfen."));
    } else {
      const head = add("h2", found.ok ? say("Everything that can be checked is correct", "Alles, was sich prüfen lässt, stimmt")
        : say("Something is wrong", "Etwas stimmt nicht"));
      // Otherwise the first link has the focus, and a small screen would show the end first.
      Object.assign(head, { tabIndex: -1, autofocus: true });
      if (!this.kept.lasts) add("p", unkept(say));
      const all = verdicts(found, say).reverse(), fine = all.filter(({ ok }) => ok !== false);
      // A sentence that is the same for all deals is shown once.
      const open = new Set(fine.map((one) => one.open)).size === 1 ? fine[0].open : null;
      if (open) add("p", open).className = "open";
      const list = dialog.appendChild(Object.assign(document.createElement("ul"), { className: "checks" }));
      for (const one of [...all.filter(({ ok }) => ok === false), ...fine.slice(0, MOST_LISTED)]) {
        this.list(one.open === open ? { ...one, open: "" } : one, list, add);
      }
      if (fine.length > MOST_LISTED) {
        const more = fine.length - MOST_LISTED;
        add("p", say(`The ${more} earlier deals were checked, too, and are correct.`, `Die ${more} früheren Spiele wurden auch geprüft und stimmen.`));
      }
      add("p", say("To check whether every move was legal, run fairdeal verify on the record.",
        "Ob jeder Zug erlaubt war, prüft fairdeal verify anhand der Aufzeichnung."));
      const link = add("a", say("Download the record", "Aufzeichnung herunterladen"));
      link.href = `/tables/${this.table}/record`;
      link.download = `fairdeal-${this.table}.jsonl`;
    }
    const close = add("button", say("Close", "Schließen"), dialog.appendChild(document.createElement("p")));
    close.onclick = () => dialog.close();
    dialog.showModal();
    dialog.scrollTop = 0;
  }

  /** One deal: the verdict, what cannot be checked, and details. */
  list({ ok, text, open, details }, list, add) {
    const [mark, mood] = ok === true ? ["✓", "good"] : ok === false ? ["✗", "bad"] : ["·", "dim"];
    const item = add("li", "", list);
    add("strong", `${mark} ${text}`, item).className = mood;
    if (open) add("p", open, item).className = "open";
    if (!details.length) return;
    const more = item.appendChild(document.createElement("details"));
    add("summary", this.say("Details", "Einzelheiten"), more);
    const all = more.appendChild(document.createElement("ul"));
    for (const one of details) {
      add("li", `${one.ok === true ? "✓" : one.ok === false ? "✗" : "·"} ${one.text}`, all).className = one.ok === true ? "good" : one.ok === false ? "bad" : "dim";
    }
  }
}

function unkept(say) {
  return say("This browser does not let the page store what it saw (its storage is full or blocked). After the page is closed, it cannot check whether the house committed before it knew the seeds.",
    "Die Seite kann in diesem Browser nicht speichern, was sie gesehen hat (der Speicher ist voll oder gesperrt). Wenn sie einmal geschlossen war, kann sie nicht mehr prüfen, ob sich das Haus festgelegt hatte, bevor es die Startwerte kannte.");
}

/** What is wrong with the house, and what that means. */
function alarmed({ why, deck }, say) {
  const shuffle = deck + 1, stop = say(" Your browser sends it no more seeds for this table. The server may have been restored from a backup; unless someone confirms that, stop playing here.",
    " Dein Browser schickt ihm für diesen Tisch keine Startwerte mehr. Vielleicht wurde der Server aus einer Sicherung wiederhergestellt; wenn das niemand bestätigt, spiel hier nicht weiter.");
  switch (why) {
    case "other_session": return say("The house has begun this table a second time, with new shuffles: it could be discarding deals that it does not like.",
      "Das Haus hat diesen Tisch ein zweites Mal begonnen und mischt neu: Es könnte Spiele verwerfen, die ihm nicht gefallen.") + stop;
    case "other_commitments": return say(`The house has shown two different lists of commitments for shuffle ${shuffle}: it could be choosing the cards.`,
      `Das Haus hat für Mischung ${shuffle} zwei verschiedene Listen von Festlegungen gezeigt: Es könnte die Karten wählen.`) + stop;
    case "replaced": return say(`The house accepted your commitment for shuffle ${shuffle} and shows another one in its place.`,
      `Das Haus hat deine Festlegung für Mischung ${shuffle} angenommen und zeigt stattdessen eine andere.`) + stop;
    default: return say(`The house wants your seed for shuffle ${shuffle} without showing all commitments. Your browser does not send it.`,
      `Das Haus verlangt deinen Startwert für Mischung ${shuffle}, ohne alle Festlegungen zu zeigen. Dein Browser schickt ihn nicht.`);
  }
}

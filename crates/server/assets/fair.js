// Fairness at a table: this browser's part in shuffling, and the check of what the house has left as evidence.
import { Seeds } from "./fairness.js";
import { verify } from "./verify.js";

/** What to send when the house asks for a commitment or for a seed; nothing if another device has committed. */
export function answer({ deck, reveal, session, seat, commitment }) {
  const seeds = new Seeds(session, seat);
  if (!reveal) return { commit: { deck, commitment: seeds.commit(deck) } };
  const seed = seeds.reveal(deck, commitment);
  if (!seed) return null;
  seeds.taken(deck, commitment);
  return { reveal: { deck, ...seed } };
}

/** Checks the record of a table and says what came out. */
export async function check(table) {
  const [record, own] = await Promise.all([
    fetch(`/tables/${table}/record`).then((answer) => (answer.ok ? answer.text() : null)),
    fetch(`/tables/${table}/openings`).then((answer) => (answer.ok ? answer.json() : {})),
  ]);
  if (record === null) return null;
  const known = own.seat === undefined ? {} : { seat: own.seat, seeds: new Seeds(own.session, own.seat).used(), openings: own.openings };
  return { ...verify(record, known), names: JSON.parse(record.split("\n", 1)[0]).fairdeal?.names ?? [] };
}

/** Shows the check in a dialog. */
export async function report(table, dialog, german) {
  const say = (english, deutsch) => (german ? deutsch : english);
  const found = await check(table);
  dialog.replaceChildren();
  const add = (tag, text, parent = dialog) => parent.appendChild(Object.assign(document.createElement(tag), { textContent: text }));
  if (found === null) {
    add("p", say("There is nothing to check yet.", "Es gibt noch nichts nachzuprüfen."));
  } else {
    const { passed, failed, open } = found.summary;
    add("h2", failed === 0 ? say("Everything that can be checked is right", "Alles, was sich prüfen lässt, stimmt")
      : say("Something is wrong", "Etwas stimmt nicht"));
    add("p", say(`Checked in this browser: ${passed} right, ${failed} wrong, ${open} that cannot be told (yet).`,
      `In diesem Browser geprüft: ${passed} richtig, ${failed} falsch, ${open} (noch) nicht feststellbar.`));
    const list = dialog.appendChild(document.createElement("ul"));
    list.className = "checks";
    for (const one of found.checks.slice(-60)) {
      const item = add("li", `${one.ok === true ? "✓" : one.ok === false ? "✗" : "·"} ${sentence(one, found.names, say)}`, list);
      item.className = one.ok === true ? "good" : one.ok === false ? "bad" : "dim";
    }
    add("p", say("Whether every move was legal is checked by fairdeal verify with the record.",
      "Ob jeder Zug erlaubt war, prüft fairdeal verify anhand der Aufzeichnung."));
    const link = add("a", say("Download the record", "Aufzeichnung herunterladen"));
    link.href = `/tables/${table}/record`;
    link.download = `fairdeal-${table}.jsonl`;
  }
  const row = dialog.appendChild(document.createElement("p"));
  const close = add("button", say("Close", "Schließen"), row);
  close.onclick = () => dialog.close();
  dialog.showModal();
}

/** One check in words. */
function sentence(check, names, say) {
  const who = (seat) => names[seat] ?? say(`seat ${seat + 1}`, `Platz ${seat + 1}`);
  const deal = say(`Deal ${check.deal}`, `Spiel ${check.deal}`) + (check.deck === undefined ? "" : say(`, deck ${check.deck}`, `, Stapel ${check.deck}`));
  const wrong = check.ok === false ? ` (${check.why})` : "";
  switch (check.kind) {
    case "commitments":
      return `${deal}: ` + say(`the house and ${check.seats.length} players committed before anybody revealed`, `das Haus und ${check.seats.length} Spieler haben sich festgelegt, bevor jemand aufdeckte`) + wrong;
    case "seeds":
      return `${deal}: ` + say(`${check.seats?.length ?? 0} seeds fit their commitments`, `${check.seats?.length ?? 0} Startwerte passen zu ihren Festlegungen`) + wrong;
    case "own_seed":
      if (check.ok === true) return `${deal}: ` + say("your own seed is in the shuffle, unchanged", "dein eigener Startwert ist unverändert in der Mischung");
      if (check.ok === false) return `${deal}: ` + say("your own seed was changed or left out", "dein eigener Startwert wurde verändert oder weggelassen");
      return `${deal}: ` + say("this browser sent no seed", "dieser Browser hat keinen Startwert geschickt");
    case "left_out":
      return `${deal}: ` + check.seats.map(({ seat, why }) => `${who(seat)} ${leftOut(why, say)}`).join(", ");
    case "fixed":
      return `${deal}: ` + say(`all ${check.cards} cards were fixed before the first was dealt`, `alle ${check.cards} Karten standen fest, bevor die erste gegeben wurde`) + wrong;
    case "openings":
      return `${deal}: ` + say(`${check.cards} open cards are those that were fixed`, `${check.cards} offene Karten sind die, die feststanden`) + wrong;
    case "own_cards":
      return `${deal}: ` + say(`your ${check.cards} cards are those that were fixed`, `deine ${check.cards} Karten sind die, die feststanden`) + wrong;
    case "shuffle":
      if (check.ok === true) return `${deal}: ` + say("the order of the cards follows from all seeds", "die Reihenfolge der Karten folgt aus allen Startwerten");
      if (check.ok === false) return `${deal}: ` + say("the order of the cards does not follow from the seeds", "die Reihenfolge der Karten folgt nicht aus den Startwerten");
      return `${deal}: ` + (check.publish === "never"
        ? say("the house keeps its seed, so that closed cards stay closed", "das Haus behält seinen Startwert, damit verdeckte Karten verdeckt bleiben")
        : say("the house has not published its seed yet", "das Haus hat seinen Startwert noch nicht veröffentlicht"));
    case "private":
      return `${deal}: ` + say(`${check.cards} dealt cards`, `${check.cards} gegebene Karten`) + wrong;
    default:
      return `${deal}: ` + say(`line ${check.line} of the record is damaged`, `Zeile ${check.line} der Aufzeichnung ist beschädigt`) + wrong;
  }
}

function leftOut(why, say) {
  switch (why) {
    case "computer": return say("is a computer of the house and adds no seed", "ist ein Computer des Hauses und steuert nichts bei");
    case "no_commitment": return say("sent no commitment in time", "hat sich nicht rechtzeitig festgelegt");
    case "no_seed": return say("did not reveal in time", "hat nicht rechtzeitig aufgedeckt");
    default: return say("revealed something else than committed to", "hat etwas anderes aufgedeckt als festgelegt");
  }
}

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

/** So many checks are listed: those of the last deals. */
const MOST_LISTED = 60;

/** Checks the record of a table and says what came out. */
export async function check(table) {
  const [record, own] = await Promise.all([
    fetch(`/tables/${table}/record`).then((answer) => (answer.ok ? answer.text() : null)),
    fetch(`/tables/${table}/openings`).then((answer) => (answer.ok ? answer.json() : {})),
  ]);
  if (record === null) return null;
  const known = own.seat === undefined ? {} : { seat: own.seat, seeds: new Seeds(own.session, own.seat).used(), openings: own.openings };
  const { game, names = [] } = JSON.parse(record.split("\n", 1)[0]).fairdeal ?? {};
  return { checks: listed(verify(record, known).checks), game, names, seat: own.seat };
}

/** What belongs to one deck stands together, and what has a better proof beside it is not said twice. */
function listed(checks) {
  const proved = checks.filter(({ kind, ok }) => kind === "own_cards" && ok).map(({ deck }) => deck);
  const said = checks.filter(({ kind, ok, deck }) => kind !== "private" || ok !== null || !proved.includes(deck));
  const place = ({ deal, deck }) => (deal ?? Infinity) * 1000 + (deck ?? 999);
  return said.sort((one, two) => place(one) - place(two));
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
    const [passed, failed, open] = [true, false, null].map((ok) => found.checks.filter((one) => one.ok === ok).length);
    const head = add("h2", failed === 0 ? say("Everything that can be checked is right", "Alles, was sich prüfen lässt, stimmt")
      : say("Something is wrong", "Etwas stimmt nicht"));
    // Else the first link has the focus, and whoever has a small screen sees the end of it first.
    Object.assign(head, { tabIndex: -1, autofocus: true });
    add("p", say(`Checked in this browser: ${passed} right, ${failed} wrong, ${open} that cannot be told (yet).`,
      `In diesem Browser geprüft: ${passed} richtig, ${failed} falsch, ${open} (noch) nicht feststellbar.`));
    const list = dialog.appendChild(document.createElement("ul"));
    list.className = "checks";
    const wrong = found.checks.filter(({ ok }) => ok === false), others = found.checks.filter(({ ok }) => ok !== false);
    for (const one of [...wrong, ...others.slice(-MOST_LISTED)]) {
      const item = add("li", `${one.ok === true ? "✓" : one.ok === false ? "✗" : "·"} ${sentence(one, found, say)}`, list);
      item.className = one.ok === true ? "good" : one.ok === false ? "bad" : "dim";
    }
    const before = others.length - MOST_LISTED;
    if (before > 0) add("p", say(`Those of earlier deals are counted, but not listed: ${before}.`, `Die früherer Spiele sind gezählt, aber nicht aufgeführt: ${before}.`));
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
  dialog.scrollTop = 0;
}

/** What lots decide, by game. */
const LOTS = {
  holdem: ["the draw for the button", "die Auslosung des Buttons"],
  romme: ["the draw for the dealer", "die Auslosung des Gebers"],
  ongdu: ["the draw for who begins", "die Auslosung, wer beginnt"],
  blackout: ["the dice for the dealer", "die Würfel um den Geber"],
  bigc: ["the draw between equals", "die Auslosung unter Gleichen"],
};

/** Which shuffle a check is about. */
function shuffle({ deal, deck, of }, game, say) {
  const where = say(`Deal ${deal}`, `Spiel ${deal}`);
  if (deck === undefined) return where;
  switch (of) {
    case "lots": return `${where}, ${say(...(LOTS[game] ?? ["the draw", "die Auslosung"]))}`;
    case "cards": return `${where}, ${say("the cards", "die Karten")}`;
    case "again": return `${where}, ${say("cards shuffled again", "neu gemischte Karten")}`;
    default: return `${where}, ${say(`shuffle ${deck + 1}`, `Mischung ${deck + 1}`)}`;
  }
}

/** One check in words. */
function sentence(check, { game, names, seat: me }, say) {
  const who = (seat) => names[seat] ?? say(`seat ${seat + 1}`, `Platz ${seat + 1}`);
  const deal = shuffle(check, game, say), one = check.cards === 1;
  const wrong = check.ok === false ? ` (${check.why})` : "";
  // What was fixed: one card, or several.
  const fixed = one ? say(" is the one that was fixed", " ist die, die feststand") : say(" are those that were fixed", " sind die, die feststanden");
  switch (check.kind) {
    case "commitments": {
      const others = check.seats.length === 1 ? say("1 player", "1 Spieler") : say(`${check.seats.length} players`, `${check.seats.length} Spieler`);
      return `${deal}: ` + say(`the house and ${others} committed before anybody revealed`, `das Haus und ${others} haben sich festgelegt, bevor jemand aufdeckte`) + wrong;
    }
    case "seeds": {
      const count = check.seats?.length ?? 0;
      return `${deal}: ` + (count === 1 ? say("1 seed fits its commitment", "1 Startwert passt zu seiner Festlegung")
        : say(`${count} seeds fit their commitments`, `${count} Startwerte passen zu ihren Festlegungen`)) + wrong;
    }
    case "own_seed":
      if (check.ok === true) return `${deal}: ` + say("your own seed is in the shuffle, unchanged", "dein eigener Startwert ist unverändert in der Mischung");
      if (check.ok === false) return `${deal}: ` + say("your own seed was changed or left out", "dein eigener Startwert wurde verändert oder weggelassen");
      return `${deal}: ` + say("this browser sent no seed", "dieser Browser hat keinen Startwert geschickt");
    case "left_out": {
      const reasons = [...new Set(check.seats.map(({ why }) => why))];
      const of = (why) => check.seats.filter((out) => out.why === why).map(({ seat }) => who(seat)).join(", ");
      return `${deal}: ` + reasons.map((why) => `${of(why)}: ${leftOut(why, say)}`).join("; ");
    }
    case "fixed":
      if (check.of === "lots") return `${deal}: ` + say("everything was fixed before the first was drawn", "alles stand fest, bevor das erste gezogen wurde") + wrong;
      return `${deal}: ` + say(`all ${check.cards} cards were fixed before the first was dealt`, `alle ${check.cards} Karten standen fest, bevor die erste gegeben wurde`) + wrong;
    case "openings":
      if (check.of === "lots") return `${deal}: ` + say("what came out is what was fixed", "was herauskam, ist das, was feststand") + wrong;
      return `${deal}: ` + (one ? say("1 open card", "1 offene Karte") : say(`${check.cards} open cards`, `${check.cards} offene Karten`)) + fixed + wrong;
    case "own_cards":
      return `${deal}: ` + (one ? say("your card", "deine Karte") : say(`your ${check.cards} cards`, `deine ${check.cards} Karten`)) + fixed + wrong;
    case "shuffle":
      if (check.ok === true) return `${deal}: ` + say("the order of the cards follows from all seeds", "die Reihenfolge der Karten folgt aus allen Startwerten");
      if (check.ok === false) return `${deal}: ` + say("the order of the cards does not follow from the seeds", "die Reihenfolge der Karten folgt nicht aus den Startwerten");
      return `${deal}: ` + (check.publish === "never"
        ? say("the house keeps its seed, so that closed cards stay closed", "das Haus behält seinen Startwert, damit verdeckte Karten verdeckt bleiben")
        : say("the house has not published its seed yet", "das Haus hat seinen Startwert noch nicht veröffentlicht"));
    case "private": {
      const mine = check.seats?.every((seat) => seat === me) ?? false;
      const cards = mine ? say(one ? "your card" : `your ${check.cards} cards`, one ? "deine Karte" : `deine ${check.cards} Karten`)
        : say(`the closed cards of ${check.seats?.map(who).join(", ")}`, `die verdeckten Karten von ${check.seats?.map(who).join(", ")}`);
      return `${deal}: ${cards}${dealt(check, mine, say)}${wrong}`;
    }
    default:
      return `${deal}: ` + say(`line ${check.line} of the record is damaged`, `Zeile ${check.line} der Aufzeichnung ist beschädigt`) + wrong;
  }
}

/** What can be said about cards that one player alone was dealt. */
function dealt({ ok, why, cards }, mine, say) {
  if (ok === true) return say(cards === 1 ? " is that of the order" : " are those of the order", cards === 1 ? " ist die der Reihenfolge" : " sind die der Reihenfolge");
  if (ok === false) return say(" differ from the order", " weichen von der Reihenfolge ab");
  if (why === "kept") {
    const [who, wer] = mine ? ["you could check them only", "konntest du sie nur prüfen,"] : ["only their holders could check them,", "konnten nur ihre Inhaber sie prüfen,"];
    return say(`: never shown to all; and since the house keeps its seed, ${who} until the next deal was over`,
      `: nie allen gezeigt; und da das Haus seinen Startwert behält, ${wer} bis das nächste Spiel vorbei war`);
  }
  return say(": to be checked once the house has published its seed", ": prüfbar, sobald das Haus seinen Startwert veröffentlicht hat");
}

function leftOut(why, say) {
  switch (why) {
    case "computer": return say("computer of the house, adds no seed", "Computer des Hauses, steuert nichts bei");
    case "no_commitment": return say("sent no commitment in time", "hat sich nicht rechtzeitig festgelegt");
    case "no_seed": return say("did not reveal in time", "hat nicht rechtzeitig aufgedeckt");
    default: return say("revealed something else than committed to", "hat etwas anderes aufgedeckt als festgelegt");
  }
}

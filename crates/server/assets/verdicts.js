// The results of a check, in words: one verdict for each deal, one sentence about what cannot be checked, and
// details. `say(english, german)` picks the language.

/** What lots decide, by game. */
const LOTS = {
  holdem: ["the draw for the button", "die Auslosung des Buttons"],
  romme: ["the draw for the dealer", "die Auslosung des Gebers"],
  ongdu: ["the draw for the first player", "die Auslosung, wer beginnt"],
  blackout: ["the dice for the dealer", "die Würfel um den Geber"],
  bigc: ["the tie-break draw", "die Auslosung bei Gleichstand"],
};

/**
 * The verdicts on all deals, `{ deal, ok, text, open, details: [{ ok, text }] }`: `ok` is true, false, or null while a
 * deal is being played. Problems with the whole record come first, without a deal.
 */
export function verdicts(found, say) {
  const { checks, complete } = found, numbers = [...new Set(checks.map(({ deal }) => deal))];
  const deals = numbers.filter((deal) => deal !== undefined).sort((one, two) => one - two);
  const whole = checks.filter(({ deal, ok }) => deal === undefined && ok === false);
  const of = (deal) => verdict(deal, checks.filter((check) => check.deal === deal), complete || deal !== deals.at(-1), found, say);
  return [...whole.map((check) => ({ deal: null, ok: false, text: sentence(check, found, say), open: "", details: [] })), ...deals.map(of)];
}

function verdict(deal, all, over, found, say) {
  const checks = told(all), wrong = checks.find(({ ok }) => ok === false), of = (kind) => checks.filter((check) => check.kind === kind);
  const details = checks.map((check) => ({ ok: check.ok, text: sentence(check, found, say) }));
  const proven = of("shuffle").length > 0 && [...of("shuffle"), ...of("own_seed"), ...of("kept")].every(({ ok }) => ok === true);
  const mine = of("own_seed").length > 0;
  const name = say(`Deal ${deal}`, `Spiel ${deal}`);
  const text = wrong ? say(`something is wrong: ${sentence(wrong, found, say)}`, `etwas stimmt nicht: ${sentence(wrong, found, say)}`)
    : proven ? (mine ? say("proven fair. The order of the cards comes from all the seeds, yours included.", "nachweislich fair. Die Reihenfolge der Karten folgt aus allen Startwerten, auch aus deinem.")
      : say("proven: the order of the cards comes from all the seeds.", "bewiesen: Die Reihenfolge der Karten folgt aus allen Startwerten."))
      : over ? say("no problem found. Every face-up card is the one that was fixed before the deal.", "kein Fehler gefunden. Jede offene Karte ist die, die vor dem Geben feststand.")
        : say("no problem found so far.", "bisher kein Fehler gefunden.");
  return { deal, ok: wrong ? false : over ? true : null, text: `${name}: ${text}`, open: wrong ? "" : unchecked(checks, found, say), details };
}

/** Leaves out checks that have a better proof in the list. */
function told(checks) {
  const proved = checks.filter(({ kind, ok }) => kind === "own_cards" && ok).map(({ deck }) => deck);
  const said = checks.filter(({ kind, ok, deck }) => kind !== "private" || ok !== null || !proved.includes(deck));
  return said.sort((one, two) => (one.deck ?? 999) - (two.deck ?? 999));
}

/** One sentence about what cannot be checked in a deal. */
function unchecked(checks, found, say) {
  const has = (kind, why) => checks.some((check) => check.kind === kind && check.ok === null && check.why === why);
  const open = [];
  if (has("shuffle", "kept")) {
    open.push(say("whether the order came from everybody's seeds (the house keeps its own, so that face-down cards stay secret)",
      "ob die Reihenfolge aus den Startwerten aller kam (das Haus behält seinen, damit verdeckte Karten verdeckt bleiben)"));
  }
  if (has("shuffle", "later")) open.push(say("the order of the cards, until the house publishes its seed", "die Reihenfolge der Karten, bis das Haus seinen Startwert veröffentlicht"));
  if (has("shuffle", "source_unknown")) open.push(say("a shuffle of used cards (fairdeal verify can check it)", "eine Mischung gebrauchter Karten (fairdeal verify kann sie prüfen)"));
  if (has("kept", "not_kept")) open.push(say("whether the house chose its seed before it knew the others' seeds (this browser kept nothing about it)", "ob das Haus seinen Startwert gewählt hat, bevor es die anderen kannte (dieser Browser hat dazu nichts aufbewahrt)"));
  if (has("own_seed", "elsewhere")) {
    open.push(say("who sent your seat's seed (another device of yours; if you used none, the house made it up)",
      "wer den Startwert für deinen Platz geschickt hat (ein anderes Gerät von dir; wenn du keins benutzt hast, hat ihn das Haus erfunden)"));
  }
  const outs = checks.filter(({ kind }) => kind === "left_out").flatMap(({ seats }) => seats).filter(({ why }) => !["computer", "declined", "gone"].includes(why));
  const who = [...new Set(outs.map(({ seat }) => (seat === found.seat ? say("you", "dir") : name(seat, found, say))))].join(", ");
  if (who) open.push(say(`whether the answer from ${who} really came too late or not at all`, `ob die Antwort von ${who} wirklich zu spät oder gar nicht kam`));
  open.push(say("whether the house, which sees all cards, shows them to anybody", "ob das Haus, das alle Karten sieht, sie jemandem zeigt"));
  return say("This cannot be checked: ", "Das lässt sich nicht prüfen: ") + open.join("; ") + ".";
}

const name = (seat, { names, seat: me }, say) => (seat === me ? say("you", "du") : names[seat] ?? say(`seat ${seat + 1}`, `Platz ${seat + 1}`));

/** Which shuffle a check is about. */
function shuffle({ deck, of }, game, say) {
  if (deck === undefined) return "";
  switch (of) {
    case "lots": return `${say(...(LOTS[game] ?? ["the draw", "die Auslosung"]))}: `;
    case "cards": return say("the cards: ", "die Karten: ");
    case "again": return say("cards shuffled again: ", "neu gemischte Karten: ");
    default: return say(`shuffle ${deck + 1}: `, `Mischung ${deck + 1}: `);
  }
}

/** One check in words. */
export function sentence(check, found, say) {
  const { game, seat: me } = found, who = (seat) => name(seat, found, say);
  const where = shuffle(check, game, say), one = check.cards === 1;
  const wrong = check.ok === false ? ` (${check.why})` : "";
  // What was fixed: one card, or several.
  const fixed = one ? say(" is the one that was fixed", " ist die, die feststand") : say(" are the ones that were fixed", " sind die, die feststanden");
  switch (check.kind) {
    case "session":
      return say("The house began this table twice, with two sessions. It could have discarded a deal that it did not like.",
        "Das Haus hat diesen Tisch zweimal begonnen, mit zwei Sitzungen. Vielleicht hat es ein Spiel verworfen, das ihm nicht gefiel.");
    case "commitments": {
      const others = check.seats?.length === 1 ? say("1 player", "1 Spieler") : say(`${check.seats?.length ?? 0} players`, `${check.seats?.length ?? 0} Spieler`);
      const words = check.words ? `: ${check.words.join(" ")}` : "";
      return where + say(`the house and ${others} committed before anybody revealed`, `das Haus und ${others} haben sich festgelegt, bevor jemand aufdeckte`) + wrong + words;
    }
    case "kept": return where + kept(check, say);
    case "seeds": {
      const count = check.seats?.length ?? 0;
      return where + (count === 1 ? say("1 seed matches its commitment", "1 Startwert passt zu seiner Festlegung")
        : say(`${count} seeds match their commitments`, `${count} Startwerte passen zu ihren Festlegungen`)) + wrong;
    }
    case "own_seed": return where + ownSeed(check, say);
    case "left_out": {
      if (!Array.isArray(check.seats)) return where + say(`${who(check.seat)} left out for a false reason`, `${who(check.seat)}: aus einem falschen Grund ausgelassen`) + wrong;
      const reasons = [...new Set(check.seats.map(({ why }) => why))];
      const of = (why) => check.seats.filter((out) => out.why === why).map(({ seat }) => who(seat)).join(", ");
      return where + reasons.map((why) => `${of(why)}: ${leftOut(why, say)}`).join("; ");
    }
    case "fixed":
      if (check.of === "lots") return where + say("all lots were fixed before the first was drawn", "alle Lose standen fest, bevor das erste gezogen wurde") + wrong;
      return where + say(`all ${check.cards} cards were fixed before the first was dealt`, `alle ${check.cards} Karten standen fest, bevor die erste gegeben wurde`) + wrong;
    case "openings":
      if (check.of === "lots") return where + say("the result is the one that was fixed", "das Ergebnis ist das, das feststand") + wrong;
      if (check.cards === undefined) return where + say("a face-up card is not the one that was fixed", "eine offene Karte ist nicht die, die feststand") + wrong;
      return where + (one ? say("1 face-up card", "1 offene Karte") : say(`${check.cards} face-up cards`, `${check.cards} offene Karten`)) + fixed + wrong;
    case "own_cards":
      if (check.ok === false) return where + say("your cards are not the ones that were fixed", "deine Karten sind nicht die, die feststanden") + wrong;
      return where + (one ? say("your card", "deine Karte") : say(`your ${check.cards} cards`, `deine ${check.cards} Karten`)) + fixed;
    case "shuffle":
      if (check.ok === true) return where + say("the order of the cards follows from all seeds", "die Reihenfolge der Karten folgt aus allen Startwerten");
      if (check.ok === false) return where + say("the order of the cards does not follow from the seeds", "die Reihenfolge der Karten folgt nicht aus den Startwerten") + wrong;
      return where + (check.publish === "never"
        ? say("the house keeps its seed, so that face-down cards stay secret", "das Haus behält seinen Startwert, damit verdeckte Karten verdeckt bleiben")
        : say("the house has not published its seed yet", "das Haus hat seinen Startwert noch nicht veröffentlicht"));
    case "private": {
      const mine = check.seats?.every((seat) => seat === me) ?? false;
      const cards = mine ? say(one ? "your card" : `your ${check.cards} cards`, one ? "deine Karte" : `deine ${check.cards} Karten`)
        : say(`the face-down cards of ${check.seats?.map(who).join(", ")}`, `die verdeckten Karten von ${check.seats?.map(who).join(", ")}`);
      return where + cards + dealt(check, mine, say) + wrong;
    }
    default:
      return where + say(`line ${check.line} of the record is damaged`, `Zeile ${check.line} der Aufzeichnung ist beschädigt`) + wrong;
  }
}

function kept({ ok, why, deck }, say) {
  if (ok === true) return say("the commitments are the ones that this browser kept before it revealed", "die Festlegungen sind die, die dieser Browser aufbewahrt hat, bevor er aufdeckte");
  switch (why) {
    case "differs": return say("the house has changed commitments since this browser saw them", "das Haus hat Festlegungen geändert, nachdem dieser Browser sie gesehen hatte");
    case "twice": return say("the house showed this browser two different lists of commitments", "das Haus hat diesem Browser zwei verschiedene Listen von Festlegungen gezeigt");
    case "missing": return say(`The house asked for seeds for shuffle ${deck + 1}, but that shuffle is missing from the record.`, `Das Haus hat Startwerte für Mischung ${deck + 1} verlangt, aber diese Mischung fehlt in der Aufzeichnung.`);
    case "not_kept": return say("this browser kept nothing about it", "dieser Browser hat dazu nichts aufbewahrt");
    default: return say("not everybody has committed yet", "noch haben sich nicht alle festgelegt");
  }
}

function ownSeed({ ok, why, said }, say) {
  if (ok === true) return say("your own seed is in the shuffle, unchanged", "dein eigener Startwert ist unverändert in der Mischung");
  if (ok === false) {
    return why === "replaced" ? say("the house accepted your commitment but recorded another one", "das Haus hat deine Festlegung angenommen, aber eine andere aufgezeichnet")
      : say(`the house left your seed out although this browser answered in time (it says: ${leftOut(said, say)})`, `das Haus hat deinen Startwert ausgelassen, obwohl dieser Browser rechtzeitig geantwortet hat (es sagt: ${leftOut(said, say)})`);
  }
  switch (why) {
    case "elsewhere": return say("this browser did not send your seat's seed", "dieser Browser hat den Startwert für deinen Platz nicht geschickt");
    case "left_out": return say(`without your seed: ${leftOut(said, say)}`, `ohne deinen Startwert: ${leftOut(said, say)}`);
    default: return say("your own seed has not been revealed yet", "dein eigener Startwert ist noch nicht aufgedeckt");
  }
}

/** What is known about cards that only one player has seen. */
function dealt({ ok, why, cards }, mine, say) {
  if (ok === true) return say(cards === 1 ? " matches the order" : " match the order", cards === 1 ? " passt zur Reihenfolge" : " passen zur Reihenfolge");
  if (ok === false) return say(" differ from the order", " weichen von der Reihenfolge ab");
  if (why === "kept") {
    const [who, wer] = mine ? ["you could check them only", "konntest du sie nur prüfen,"] : ["only the players who held them could check them,", "konnten nur die Spieler sie prüfen, die sie hatten,"];
    return say(`: never shown to all; and since the house keeps its seed, ${who} until the next deal was over`,
      `: nie allen gezeigt; und da das Haus seinen Startwert behält, ${wer} bis das nächste Spiel vorbei war`);
  }
  return say(": you can check this once the house has published its seed", ": prüfbar, sobald das Haus seinen Startwert veröffentlicht hat");
}

function leftOut(why, say) {
  switch (why) {
    case "computer": return say("a computer of the house, which adds no seed", "ein Computer des Hauses, der keinen Startwert beisteuert");
    case "no_commitment": return say("sent no commitment in time", "hat sich nicht rechtzeitig festgelegt");
    case "no_seed": return say("did not reveal in time", "hat nicht rechtzeitig aufgedeckt");
    case "silent": return say("did not answer before, so was not asked", "hat vorher nicht geantwortet, wurde deshalb nicht gefragt");
    case "declined": return say("sends no seeds", "schickt keine Startwerte");
    case "gone": return say("had left the table", "hatte den Tisch verlassen");
    default: return say("revealed a seed that does not match the commitment", "hat etwas anderes aufgedeckt als festgelegt");
  }
}

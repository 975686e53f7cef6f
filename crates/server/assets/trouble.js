// What went wrong, in words: what happened, who is to blame (and nobody else), and what to do. The module says it with a word
// that never changes; see crates/browser/src/trouble.rs.
import { say } from "./say.js";

const SERVER = () => say("Only this server, or whoever sits between it and you, can have done that; no player is to blame.", "Das kann nur dieser Server getan haben, oder wer zwischen ihm und dir sitzt; kein Spieler ist schuld.");
const NOBODY = () => say("Nobody did anything wrong.", "Niemand hat etwas falsch gemacht.");
const SAFE = () => say("Your cards were not shown to anybody. What you have of the match is kept in this browser.", "Deine Karten hat niemand gesehen. Was du von der Partie hast, bleibt in diesem Browser.");

/** By the module's word: what, blame, then. */
const TROUBLES = {
  unsigned: [
    () => say("The server sent something that does not belong there: it was changed, left out, repeated or put into another order.", "Der Server hat etwas geschickt, das da nicht hingehört: Es wurde verändert, ausgelassen, wiederholt oder umgestellt."),
    SERVER,
    SAFE,
  ],
  unfit: [
    () => say("The server has confirmed something that it had to refuse. Its own signature proves that.", "Der Server hat etwas bestätigt, das er ablehnen musste. Seine eigene Unterschrift beweist das."),
    SERVER,
    SAFE,
  ],
  clock: [() => say("The server's clock ran backwards.", "Die Uhr des Servers ist rückwärts gelaufen."), SERVER, SAFE],
  change: [() => say("Somebody tried to replace the server without the consent of the players.", "Jemand wollte den Server ohne Zustimmung der Spieler ersetzen."), SERVER, SAFE],
  not_an_entry: [() => say("The server sent something that makes no sense.", "Der Server hat etwas geschickt, das keinen Sinn ergibt."), SERVER, SAFE],
  other_log: [
    () => say("The server tells another story of this table than the one this browser has seen: it has forgotten, changed or split it.", "Der Server erzählt von diesem Tisch etwas anderes, als dieser Browser gesehen hat: Er hat es vergessen, verändert oder gespalten."),
    SERVER,
    () => say("Compare with the others what happened last. Whoever has a record can prove their version.", "Vergleiche mit den anderen, was zuletzt geschah. Wer eine Aufzeichnung hat, kann seine Fassung beweisen."),
  ],
  other_hub: [
    () => say("This is not the server you were invited to: it has another key than your link says.", "Das ist nicht der Server, zu dem du eingeladen wurdest: Er hat einen anderen Schlüssel, als dein Link sagt."),
    SERVER,
    () => say("Ask for the link again.", "Bitte noch einmal um den Link."),
  ],
  elsewhere: [() => say("The others play on at another server.", "Die anderen spielen an einem anderen Server weiter."), NOBODY, null],
  not_in_office: [() => say("The others play on at another server.", "Die anderen spielen an einem anderen Server weiter."), NOBODY, null],
  no_table: [() => say("This table is gone. The server deletes tables where nobody has been for a long time.", "Diesen Tisch gibt es nicht mehr. Der Server löscht Tische, an denen lange niemand war."), NOBODY, null],
  not_admitted: [
    () => say("The key in your link does not fit this table.", "Der Schlüssel in deinem Link passt nicht zu diesem Tisch."),
    null,
    () => say("Ask for the whole link, including everything after #.", "Bitte um den ganzen Link, mit allem nach #."),
  ],
  malformed: [() => say("The server does not understand this page. One of the two is out of date.", "Der Server versteht diese Seite nicht. Eines von beiden ist veraltet."), NOBODY, () => say("Reload the page.", "Lade die Seite neu.")],
  replaced: [
    () => say("You have opened this table somewhere else, and play on there.", "Du hast diesen Tisch woanders geöffnet und spielst dort weiter."),
    NOBODY,
    () => say("To play here again, close it there and reload this page.", "Um wieder hier zu spielen, schließ ihn dort und lade diese Seite neu."),
  ],
  full: [() => say("The table is full.", "Der Tisch ist voll."), NOBODY, null],
  without_you: [() => say("The match at this table has begun without you.", "Die Partie an diesem Tisch hat ohne dich begonnen."), NOBODY, null],
  same_identity: [
    () => say("Somebody with your key already sits at this table, perhaps you in another browser.", "An diesem Tisch sitzt schon jemand mit deinem Schlüssel, vielleicht du in einem anderen Browser."),
    NOBODY,
    () => say("Play on there, or join with another key.", "Spiel dort weiter, oder komm mit einem anderen Schlüssel."),
  ],
  damaged: [
    () => say("What this browser has kept of the table is damaged.", "Was dieser Browser vom Tisch aufbewahrt hat, ist beschädigt."),
    () => say("Neither the server nor a player can do that.", "Das können weder der Server noch Spieler."),
    null,
  ],
  knock: [
    () => say("The answer at the door makes no sense: somebody may be listening in between.", "Die Antwort an der Tür ergibt keinen Sinn: Vielleicht hört jemand dazwischen mit."),
    SERVER,
    () => say("Ask for the link instead.", "Bitte stattdessen um den Link."),
  ],
  name: [() => say("This name is too long.", "Dieser Name ist zu lang."), null, null],
  other_tab: [
    () => say("This table is open in another tab of this browser, which plays on.", "Dieser Tisch ist in einem anderen Tab dieses Browsers offen, der weiterspielt."),
    NOBODY,
    () => say("Close one of the two, and reload the other.", "Schließ einen von beiden und lade den anderen neu."),
  ],
  no_room: [() => say("This browser has no storage left.", "Dieser Browser kann nichts mehr speichern."), NOBODY, () => say("Free some space and reload the page.", "Schaff Platz und lade die Seite neu.")],
  unreachable: [() => say("The server cannot be reached.", "Der Server ist nicht zu erreichen."), null, () => say("Check your connection, and try again.", "Prüfe deine Verbindung und versuch es noch einmal.")],
  module: [
    () => say("This browser cannot run the program for private tables. It needs WebAssembly.", "Dieser Browser kann das Programm für private Tische nicht ausführen. Er braucht WebAssembly."),
    null,
    () => say("Try a newer browser.", "Nimm einen neueren Browser."),
  ],
  other: [() => say("Something unexpected happened.", "Etwas Unerwartetes ist passiert."), null, () => say("Reload the page to go on where you were.", "Lade die Seite neu, dann geht es weiter.")],
};

/** `{ what, blame, then, detail }` about a failure, by the module's word or the text of an error. */
export function trouble(code, text = "") {
  const known = code in TROUBLES && code !== "other" ? code : guess(text);
  const [what, blame, then] = TROUBLES[known].map((words) => words?.() ?? "");
  return { what, blame, then, detail: known === "other" ? text : "", code: known };
}

function guess(text) {
  if (/ConstraintError|already exists/.test(text)) return "other_tab";
  if (/QuotaExceeded|not stored/.test(text)) return "no_room";
  if (/Failed to fetch|NetworkError|Load failed/.test(text)) return "unreachable";
  if (/WebAssembly|CompileError/.test(text)) return "module";
  if (/^a name has/.test(text)) return "name";
  return "other";
}

/** Why there is no connection, from the module's text. */
export function offline(why) {
  if (/no hub/.test(why)) return say("What answers here makes no sense: this is no server for private tables, or something sits in between. Trying again …", "Was hier antwortet, ergibt keinen Sinn: Das ist kein Server für private Tische, oder etwas sitzt dazwischen. Neuer Versuch …");
  if (/shutting down/.test(why)) return say("The server is restarting. Trying again …", "Der Server startet neu. Neuer Versuch …");
  if (/too much|store/.test(why)) return say("The server is busy. Trying again …", "Der Server ist überlastet. Neuer Versuch …");
  return say("No connection to the server. Trying again …", "Keine Verbindung zum Server. Neuer Versuch …");
}

/** What a player did wrong, by the module's word. */
const FAULTS = {
  seed: (name) => say(`${name} opened another seed than the one committed to.`, `${name} hat einen anderen Startwert geöffnet als den festgelegten.`),
  key: (name) => say(`${name}'s device made a wrong key for the cards.`, `Das Gerät von ${name} hat einen falschen Schlüssel für die Karten gemacht.`),
  complaint: (name) => say(`${name}'s device accused another one wrongly.`, `Das Gerät von ${name} hat ein anderes zu Unrecht beschuldigt.`),
  shuffle: (name) => say(`${name}'s device shuffled wrongly: it cannot prove that the same cards are still there.`, `Das Gerät von ${name} hat falsch gemischt: Es kann nicht beweisen, dass noch dieselben Karten da sind.`),
  shares: (name) => say(`${name}'s device tried to open cards wrongly.`, `Das Gerät von ${name} wollte Karten falsch aufdecken.`),
  card: (name) => say(`${name}'s device wanted to show cards that are not theirs.`, `Das Gerät von ${name} wollte Karten zeigen, die ihm nicht gehören.`),
  reveal: (name) => say(`${name} revealed another choice than the one committed to.`, `${name} hat eine andere Wahl aufgedeckt als die festgelegte.`),
  illegal: (name) => say(`${name} made a move that the rules do not allow.`, `${name} hat einen Zug gemacht, den die Regeln nicht erlauben.`),
  claim: (name) => say(`${name} said something untrue about their face-down cards.`, `${name} hat über verdeckte Karten etwas Falsches gesagt.`),
  signature: (name) => say(`${name} signed something else than the result.`, `${name} hat etwas anderes unterschrieben als das Ergebnis.`),
};

/** A fault in words. What is wrong has no effect. */
export function fault({ kind, seat, what }, names) {
  const name = names[seat] ?? `${seat + 1}`;
  const words = FAULTS[kind]?.(name) ?? `${name}: ${what}`;
  return words;
}

/** Words for what a fault leads to. */
export const noticed = () => say("Your device noticed it, and it does not count. Nobody else is to blame.", "Dein Gerät hat es bemerkt, und es zählt nicht. Niemand sonst ist schuld.");

/** What a record shows about its hub, by the module's word. */
export function broken({ kind, height }) {
  const at = say(`Entry ${height + 1}`, `Eintrag ${height + 1}`);
  return {
    unsigned: say(`${at} was changed, left out or moved after the server signed it.`, `${at} wurde verändert, ausgelassen oder verschoben, nachdem der Server ihn unterschrieben hatte.`),
    unfit: say(`${at} should have been refused by the server, and was not.`, `${at} hätte der Server ablehnen müssen und hat es nicht getan.`),
    clock: say(`At ${at} the server's clock runs backwards.`, `Bei ${at} läuft die Uhr des Servers rückwärts.`),
    change: say(`${at} replaces the server without the consent of the players.`, `${at} ersetzt den Server ohne Zustimmung der Spieler.`),
  }[kind] ?? say(`${at} does not belong there.`, `${at} gehört da nicht hin.`);
}

/** The words that there must be: for tests. */
export const KNOWN = { troubles: Object.keys(TROUBLES), faults: Object.keys(FAULTS) };

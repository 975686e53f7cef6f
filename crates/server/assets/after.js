// After a private match: how it ended, the record, checking it again in the worker, and the leaderboard of the station.
import { save } from "./copying.js";
import { make } from "./morph.js";
import { say } from "./say.js";
import { sha256, text as bytes } from "./sha256.js";
import { broken, fault } from "./trouble.js";

/** How many entries are checked between two looks at the progress. */
const STEP = 8;
const hex = (array) => Array.from(array, (byte) => byte.toString(16).padStart(2, "0")).join("");

const ENDS = {
  over: () => say("The match was played to its end.", "Die Partie wurde zu Ende gespielt."),
  not_begun: () => say("The match never began: somebody did not open their seed.", "Die Partie hat nie begonnen: Jemand hat seinen Startwert nicht geöffnet."),
  abandoned: () => say("The match was ended early, because too few were left. It counts as it stood after the last finished deal.", "Die Partie wurde vorzeitig beendet, weil zu wenige übrig waren. Es zählt der Stand nach dem letzten fertigen Spiel."),
  disputed: () => say("The match is disputed: only the player who runs the server says that somebody was late. It counts for nobody.", "Die Partie ist strittig: Nur wer den Server betreibt, sagt, dass jemand zu spät war. Sie zählt für niemanden."),
};

export class After {
  #box;
  #page;
  #ended = null;
  #sent = null;

  constructor(box, page) {
    [this.#box, this.#page] = [box, page];
    box.addEventListener("click", ({ target }) => this[target.closest("button[data-after]")?.dataset.after]?.());
    this.#one("[data-after=always]").addEventListener("change", ({ target }) => {
      page.ask("remember", { name: "always", value: target.checked });
      if (target.checked) this.send();
    });
    this.#one("#other-record").addEventListener("change", async ({ target }) => {
      if (target.files[0]) await this.#check(await target.files[0].text(), target.files[0].name);
      target.value = "";
    });
    if (page.lobby) this.#one(".actions").append(make("a", { className: "button quiet", href: page.lobby, textContent: say("Lobby", "Lobby") }));
    if (page.station) this.#board();
  }

  #one = (name) => this.#box.querySelector(name);

  show(ended) {
    this.#ended = ended;
    this.#box.hidden = false;
    document.body.classList.add("ended");
    const { names, standing, unsigned, complete, result, end, why } = ended;
    this.#one(".how").textContent = ENDS[end]?.() ?? why;
    const order = standing ? names.map((_, seat) => seat).sort((a, b) => standing.place[a] - standing.place[b]) : [];
    this.#one(".places").replaceChildren(...order.map((seat) => make("li", { value: standing.place[seat], className: seat === ended.me ? "me" : "" }, `${names[seat]}: ${standing.total[seat]}`)));
    const missing = unsigned.map((seat) => names[seat]).join(", ");
    this.#one(".signed").textContent = !result
      ? say("There is no result to sign.", "Es gibt kein Ergebnis zu unterschreiben.")
      : complete
        ? say("Everybody has signed the result: nobody can change or deny it.", "Alle haben das Ergebnis unterschrieben: Niemand kann es ändern oder abstreiten.")
        : say(`Not signed yet: ${missing}. Their devices do that by themselves once they are back.`, `Noch nicht unterschrieben: ${missing}. Ihre Geräte tun das von selbst, sobald sie wieder da sind.`);
    this.#one(".text").textContent = result ?? "";
    this.#one("[data-after=result]").hidden = !result;
    this.#one(".station").hidden = !this.#page.station || !result;
    this.#one("[data-after=send]").disabled = !complete;
    this.#one(".extension").hidden = !globalThis.nostr || !ended.attest;
    if (complete && this.#page.station) this.#always();
  }

  /** The record, for anybody who wants to check it. */
  async record() {
    const { record } = await this.#page.ask("module", { ask: "record" });
    save(`fairdeal-${this.#page.game}.jsonl`, record, "application/jsonl");
    this.#page.toast(say("Saved. Anybody can check it with “fairdeal verify”, or on this page. It shows what was shown at the table, and no face-down card.", "Gespeichert. Alle können sie mit „fairdeal verify“ oder auf dieser Seite prüfen. Sie zeigt, was am Tisch zu sehen war, und keine verdeckte Karte."));
  }

  result() {
    save(`fairdeal-${this.#page.game}-result.txt`, this.#ended.result);
  }

  verify() {
    return this.#check(null);
  }

  async #check(record, file) {
    const buttons = this.#box.querySelectorAll("button[data-after=verify]");
    for (const button of buttons) button.disabled = true;
    await check(this.#page.ask, { record, file, bar: this.#one("progress"), verdict: this.#one(".verdict") });
    for (const button of buttons) button.disabled = false;
  }

  /** Hands in the result by itself if the person wanted that once. */
  async #always() {
    const always = (await this.#page.ask("remembered", { name: "always" })) === true;
    this.#one("[data-after=always]").checked = always;
    if (always) this.send();
  }

  /** Hands in the result at the station. */
  async send() {
    const { result, complete } = this.#ended, sent = this.#one(".sent");
    if (!complete || this.#sent === result) return;
    this.#sent = result;
    try {
      const answer = await fetch("/api/v1/results", { method: "POST", headers: { "content-type": "text/plain" }, body: result });
      const { kept, message } = await answer.json();
      if (!answer.ok) throw new Error(message);
      sent.className = kept === "contradiction" ? "sent bad" : "sent good";
      sent.textContent = {
        new: say("Sent: the result counts now.", "Geschickt: Das Ergebnis zählt jetzt."),
        completed: say("Sent: signatures that were missing are there now.", "Geschickt: Fehlende Unterschriften sind jetzt da."),
        known: say("Somebody has sent this result already: it counts.", "Dieses Ergebnis hat schon jemand geschickt: Es zählt."),
        contradiction: say("The server has another result of this match. Neither counts if everybody has signed both.", "Der Server hat ein anderes Ergebnis dieser Partie. Keines zählt, wenn alle beide unterschrieben haben."),
      }[kept];
      // Boards are counted every few seconds.
      for (let tries = 0; tries < 5 && !(await this.#board()); tries++) await new Promise((resolve) => setTimeout(resolve, 2500));
    } catch (why) {
      this.#sent = null;
      sent.className = "sent bad";
      sent.textContent = `${say("The server did not take it:", "Der Server hat es nicht angenommen:")} ${why.message}`;
    }
  }

  /** The best players of this game, as the station ranks them. Resolves to whether this player is among them. */
  async #board() {
    const answer = await fetch(`/api/v1/leaderboards/${this.#page.game}`);
    if (!answer.ok) return false;
    const { rows, game } = await answer.json(), { callsign } = await this.#page.ask("who");
    const row = ({ rank, callsign: name, wins, losses }) => make("tr", { className: name === callsign ? "me" : "" }, ...[rank, name, wins, losses].map((value) => make("td", { textContent: value })));
    const head = [say("Rank", "Platz"), say("Player", "Name"), say("Won", "Siege"), say("Lost", "Verloren")].map((value) => make("th", { scope: "col", textContent: value }));
    const own = rows.find(({ callsign: name }) => name === callsign), best = rows.slice(0, 5);
    if (own && !best.includes(own)) best.push(own);
    const table = make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...best.map(row)));
    const all = make("p", {}, make("a", { href: `/station/${game}`, textContent: say("The whole leaderboard", "Die ganze Bestenliste") }));
    this.#one(".board").replaceChildren(...(rows.length ? [table, all] : [make("p", { className: "dim", textContent: say("No results yet.", "Noch keine Ergebnisse.") })]));
    return Boolean(own);
  }

  /** The person's NOSTR extension says with its own key that the result is theirs. */
  async extension() {
    const { body, id, at, key, callsign } = this.#ended.attest, said = this.#one(".attested");
    const event = {
      kind: 1,
      created_at: at,
      tags: [["t", "card_game"], ["game_id", id], ["callsign", callsign], ["p", key]],
      content: hex(sha256(bytes(body))),
    };
    try {
      const signed = await globalThis.nostr.signEvent(event);
      if (signed?.content !== event.content || !/^[0-9a-f]{128}$/.test(signed.sig)) throw new Error(say("it signed something else", "sie hat etwas anderes unterschrieben"));
      save(`fairdeal-${this.#page.game}-nostr.json`, `${JSON.stringify(signed)}\n`, "application/json");
      said.className = "attested good";
      said.textContent = say("Signed and saved as a NOSTR event. Nothing was sent anywhere.", "Unterschrieben und als NOSTR-Ereignis gespeichert. Es wurde nichts verschickt.");
    } catch (why) {
      said.className = "attested bad";
      said.textContent = `${say("The extension did not sign:", "Die Erweiterung hat nicht unterschrieben:")} ${why?.message ?? why}`;
    }
  }
}

/**
 * Checks everything again, from the first entry on, and says what was found. Without a `record` it is that of this table, which
 * may still be played.
 */
export async function check(ask, { record = null, file, bar, verdict, running = false }) {
  bar.removeAttribute("value");
  bar.hidden = false;
  verdict.replaceChildren(make("p", { textContent: say("Checking every signature, every shuffle and every move again …", "Jede Unterschrift, jedes Mischen und jeder Zug wird noch einmal geprüft …") }));
  const began = performance.now();
  let step = {}, game;
  try {
    while (!step.report) {
      // The record of another game is checked by that game's module, from the beginning.
      game = step.other_game ?? game;
      if (!step.done) bar.max = (await ask("module", { ask: { check: record }, game })).entries;
      step = await ask("module", { ask: { check_on: STEP }, game });
      if (step.done) bar.value = step.done;
    }
    verdict.replaceChildren(...words(step.report, performance.now() - began, { file, running }));
  } catch {
    const missing = say("This server cannot check records of that game.", "Dieser Server kann Aufzeichnungen dieses Spiels nicht prüfen.");
    verdict.replaceChildren(make("p", { className: "bad", textContent: game ? missing : say("✗ This is not a record of a private match, or it has been cut off or changed and cannot be read.", "✗ Das ist keine Aufzeichnung einer privaten Partie, oder sie wurde gekürzt oder so verändert, dass sie nicht zu lesen ist.") }));
  } finally {
    bar.hidden = true;
  }
}

/** The same in a dialog, during a match. */
export async function report(dialog, ask) {
  const [bar, verdict] = [make("progress", { ariaLabel: say("Checking", "Prüfung läuft") }), make("div", { role: "status" })];
  const close = make("button", { type: "button", className: "main", textContent: say("Close", "Schließen") });
  close.addEventListener("click", () => dialog.close());
  dialog.replaceChildren(make("h2", { textContent: say("Checked by your device", "Von deinem Gerät geprüft") }), bar, verdict, close);
  if (!dialog.open) dialog.showModal();
  await check(ask, { bar, verdict, running: true });
}

/** What a check found, in words. */
function words({ entries, hub, clean, played }, took, { file, running }) {
  const good = (text) => make("p", { className: "good", textContent: `✓ ${text}` }), bad = (text) => make("p", { className: "bad", textContent: `✗ ${text}` });
  const shown = [];
  if (file) shown.push(make("p", {}, make("b", { textContent: file })));
  if (hub) {
    shown.push(bad(broken(hub)));
    shown.push(bad(say(`Nothing from there on is proven. ${entries} entries before it are right.`, `Von da an ist nichts bewiesen. ${entries} Einträge davor stimmen.`)));
  }
  for (const one of played?.faults ?? []) shown.push(bad(fault(one, played.names)));
  const seconds = (took / 1000).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 });
  if (clean) {
    shown.push(good(say(`All ${entries} entries are in order, signed by their authors and by the server (${seconds} s).`, `Alle ${entries} Einträge sind in Ordnung, von ihren Urhebern und vom Server unterschrieben (${seconds} s).`)));
    const deals = played?.deals === 1 ? say("1 deal", "1 Spiel") : say(`${played?.deals} deals`, `${played?.deals} Spielen`);
    if (played) shown.push(good(say(`Every shuffle of ${deals} is proven, every opened card is the right one, and every move was allowed.`, `Jedes Mischen von ${deals} ist bewiesen, jede aufgedeckte Karte ist die richtige, und jeder Zug war erlaubt.`)));
  }
  if (!played) shown.push(make("p", { textContent: say("No match has begun in this record.", "In dieser Aufzeichnung hat keine Partie begonnen.") }));
  else if (!played.end && running) shown.push(make("p", { textContent: say("That is how it stands now: the match goes on.", "So steht es jetzt: Die Partie geht weiter.") }));
  else if (!played.end) shown.push(bad(say("The record ends before the match does.", "Die Aufzeichnung endet vor der Partie.")));
  else if (played.result) {
    const missing = played.unsigned.map((seat) => played.names[seat]).join(", ");
    shown.push(missing ? bad(say(`The result follows from the log. Not signed by: ${missing}.`, `Das Ergebnis folgt aus dem Protokoll. Nicht unterschrieben von: ${missing}.`)) : good(say("The result follows from the log, and everybody has signed it.", "Das Ergebnis folgt aus dem Protokoll, und alle haben es unterschrieben.")));
  }
  for (const [seat] of played?.late ?? []) shown.push(make("p", { textContent: say(`${played.names[seat]} did not answer in time once.`, `${played.names[seat]} hat einmal nicht rechtzeitig geantwortet.`) }));
  shown.push(make("p", { className: "dim", textContent: say("What no check can show: whether players told each other their cards.", "Was keine Prüfung zeigt: ob sich Spieler ihre Karten verraten haben.") }));
  return shown;
}

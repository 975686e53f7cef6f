// What this device has checked in a match, whom it waits for, and what somebody did wrong, in words.
import { make } from "./morph.js";
import { say } from "./say.js";
import { fault, noticed, offline } from "./trouble.js";

/** What a device does, by the module's word. */
const DUTIES = {
  seed: ["seeds for the match", "Startwerte für die Partie"],
  keys: ["keys for the deal", "Schlüssel für das Spiel"],
  lots: ["drawing lots", "Auslosung"],
  shuffle: ["shuffling", "Mischen"],
  shares: ["opening cards", "Karten aufdecken"],
  act: ["a move", "ein Zug"],
  choose: ["a choice", "eine Wahl"],
  reveal: ["revealing the choice", "Wahl aufdecken"],
  sign: ["signature", "Unterschrift"],
};
/** After how long a wait is worth a word, in milliseconds. */
const LONG = 6000;

const item = (textContent, className = "") => make("li", { textContent, className });

export class Checked {
  #mark;
  #waits;
  #alarm;
  #want;

  constructor(page, { want }) {
    [this.#mark, this.#waits, this.#alarm, this.#want] = [page.getElementById("checked"), page.getElementById("waits"), page.getElementById("alarm"), want];
  }

  show(now) {
    const { names, faults, online } = now, all = names.length;
    const of = (seats) => seats.map((seat) => names[seat]).join(", ");
    const wrong = faults.map((one) => fault(one, names));
    const summary = this.#mark.querySelector("summary");
    summary.textContent = wrong.length ? say("⚠ Something was wrong", "⚠ Etwas stimmte nicht") : say("✓ Checked by your device", "✓ Von deinem Gerät geprüft");
    summary.className = wrong.length ? "bad" : "good";
    const lines = [
      now.seeds.length === all ? say("Everybody's seed is the one committed to before.", "Alle Startwerte sind die vorher festgelegten.") : say(`Seeds opened: ${now.seeds.length} of ${all}.`, `Startwerte geöffnet: ${now.seeds.length} von ${all}.`),
      now.keys.length ? say(`Keys proven for this deal: ${of(now.keys)}.`, `Schlüssel für dieses Spiel bewiesen: ${of(now.keys)}.`) : say("The keys for this deal are being made.", "Die Schlüssel für dieses Spiel werden gemacht."),
      now.shuffled.length ? say(`Shuffled, each with a proof that no card was added, lost or swapped: ${of(now.shuffled)}.`, `Gemischt, jeweils mit Beweis, dass keine Karte dazukam, fehlt oder vertauscht wurde: ${of(now.shuffled)}.`) : say("Nobody has shuffled this deal yet.", "Für dieses Spiel hat noch niemand gemischt."),
      say("Every card that was opened is the one that was shuffled to that place, and every move was allowed.", "Jede aufgedeckte Karte ist die, die an diesen Platz gemischt wurde, und jeder Zug war erlaubt."),
      ...(now.ahead ? [say("The deck of the next deal is ready.", "Die Karten des nächsten Spiels sind fertig gemischt.")] : []),
    ];
    this.#mark.querySelector("ul").replaceChildren(...wrong.map((text) => item(text, "bad")), ...lines.map((text) => item(text)));
    if (wrong.length) {
      this.#alarm.textContent = `${wrong.at(-1)} ${noticed()}`;
      this.#alarm.hidden = false;
    }
    this.#say(online === true ? this.#waited(now) : `${offline(online)} ${say("Your cards are kept.", "Deine Karten bleiben erhalten.")}`);
    document.body.classList.toggle("offline", online !== true);
    this.#hopeless(now.hopeless && online === true);
  }

  /** Whose device is awaited, if that takes long, and what happens then. */
  #waited({ waits, names, me, here }) {
    const long = waits.filter(({ seat, for_ms, duty }) => seat !== me && (for_ms > LONG && !["act", "choose"].includes(duty) || !here.includes(seat)));
    if (!long.length) return "";
    const [{ seat, duty, for_ms, limit_ms }] = long, name = names[seat], [english, german] = DUTIES[duty] ?? [duty, duty];
    const left = Math.max(0, Math.round((limit_ms - for_ms) / 1000));
    const away = here.includes(seat) ? say(`${name}'s device is slow`, `Das Gerät von ${name} braucht lange`) : say(`${name}'s device is asleep or offline`, `Das Gerät von ${name} schläft oder ist offline`);
    const then = left ? say(`In about ${left} s the deal goes on or ends without them.`, `In etwa ${left} s geht das Spiel ohne ${name} weiter oder endet.`) : say("The others can go on without them now.", "Die anderen können jetzt ohne weitermachen.");
    return `${away} (${say(english, german)}). ${then}`;
  }

  #say(text) {
    if (this.#waits.textContent !== text) this.#waits.textContent = text;
    this.#waits.hidden = !text;
  }

  /** A match that nobody can finish can be ended. */
  #hopeless(is) {
    let button = document.getElementById("abandon");
    if (is && !button) {
      button = make("button", { id: "abandon", type: "button", className: "grave", textContent: say("End the match: nobody has answered for ten minutes", "Partie beenden: seit zehn Minuten antwortet niemand") });
      button.addEventListener("click", () => this.#want("abandon"));
      this.#waits.after(button);
    }
    if (button) button.hidden = !is;
  }
}

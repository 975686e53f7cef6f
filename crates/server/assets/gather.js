// A private table before a match: who is there, who is at the door, how others come.
import { make } from "./morph.js";
import { say } from "./say.js";
import { offline } from "./trouble.js";

/** Whether an address is that of this very computer, and useless elsewhere. */
const isHere = (host) => /^(localhost|127\.|\[::1\]$)/.test(host);

export class Gathering {
  #root;
  #box;
  #page;
  #now = null;
  #starting = false;

  constructor(root, page) {
    [this.#root, this.#box, this.#page] = [root, root.querySelector("[data-part=lobby]"), page];
    this.#invite();
    this.#box.addEventListener("click", ({ target }) => this.#click(target));
    this.#box.querySelector("form.say").addEventListener("submit", (event) => {
      event.preventDefault();
      const input = event.target.elements.text, text = input.value.trim();
      if (!text) return;
      page.want({ chat: text });
      this.chat({ from: say("You", "Du"), text });
      input.value = "";
    });
  }

  show(now) {
    const before = this.#now, box = this.#box;
    this.#now = now;
    const seats = now.seats ?? Number(this.#root.dataset.seats), free = Math.max(0, seats - now.people.length);
    const empty = () => make("li", { className: "chair free" }, make("span", { className: "name dim", textContent: say("free", "frei") }));
    box.querySelector(".people").replaceChildren(...now.people.map((person) => this.#person(person)), ...Array.from({ length: free }, empty));
    box.querySelector(".online").textContent = now.online === true ? "" : offline(now.online);
    const button = (name) => box.querySelector(`[data-want=${name}]`), offered = Boolean(now.offered);
    if (!offered) this.#starting &&= !before?.offered;
    // Whoever starts is ready.
    if (this.#starting && now.to_accept) {
      this.#starting = false;
      this.#page.want("accept");
    }
    button("start").hidden = !now.is_host || offered;
    button("start").disabled = Boolean(now.cannot_start);
    button("accept").hidden = !now.to_accept;
    button("leave").hidden = now.me === null;
    box.querySelector(".why").textContent = this.#why(now);
    this.#knocks(now.knocks);
    this.#settings(now.offered?.settings);
  }

  #person({ number, name, callsign, computer_of, here, host, accepted }) {
    const notes = [
      number === this.#now.me && say("you", "du"),
      host && say("host", "Gastgeber"),
      computer_of && say(`computer of ${computer_of}`, `Computer von ${computer_of}`),
      !here && say("not connected", "nicht verbunden"),
    ];
    const text = make("span", { className: "name" }, name, make("span", { className: "dim", textContent: [` ${callsign}`, ...notes.filter(Boolean)].join(" · ") }));
    const ready = this.#now.offered && accepted ? [make("span", { className: "badge", textContent: say("ready", "bereit") })] : [];
    return make("li", { className: "chair" }, make("span", { className: `avatar a${(number % 12) + 1}`, ariaHidden: "true" }), text, ...ready);
  }

  /** What the table waits for. */
  #why({ is_host, needs, cannot_start, offered, people, to_accept, me }) {
    const host = people.find((person) => person.host)?.name ?? "";
    if (offered) {
      const missing = people.filter(({ number, accepted }) => offered.seats.includes(number) && !accepted && number !== me).map(({ name }) => name);
      if (to_accept) return say(`${host} wants to begin. Say that you are ready.`, `${host} möchte anfangen. Sag, dass du bereit bist.`);
      return missing.length ? say(`Waiting until everybody is ready: ${missing.join(", ")} …`, `Warten, bis alle bereit sind: ${missing.join(", ")} …`) : say("The devices are getting ready …", "Die Geräte bereiten sich vor …");
    }
    if (needs) return say(`At least ${needs} players are needed.`, `Es braucht mindestens ${needs} Leute.`);
    if (is_host) return cannot_start ?? "";
    return host ? say(`Waiting for ${host} to start the match …`, `Warten, bis ${host} die Partie beginnt …`) : say("Waiting for the match to start …", "Warten auf den Beginn …");
  }

  #knocks(people) {
    const line = ({ number, name, words }) => {
      const said = words
        ? [say(`${name} knocks. Their words must be: `, `${name} klopft an. Die Wörter müssen sein: `), make("b", { textContent: words.join(" ") })]
        : [say(`${name} knocks …`, `${name} klopft an …`)];
      const admit = words ? [["admit", say("Let in", "Hereinlassen"), "main"]] : [];
      const buttons = [...admit, ["decline", say("Turn away", "Abweisen"), "quiet"]].map(([kind, label, className]) => {
        const button = make("button", { type: "button", textContent: label, className });
        button.addEventListener("click", () => this.#page.want({ [kind]: number }));
        return button;
      });
      return make("li", { className: "chair" }, make("span", { className: "name" }, ...said), ...buttons);
    };
    const list = this.#box.querySelector(".knocks"), now = JSON.stringify(people);
    // Buttons do not change under somebody's finger.
    if (list.dataset.now === now) return;
    list.dataset.now = now;
    list.replaceChildren(...people.map(line));
  }

  /** What is played, as far as it is not as usual. */
  #settings(settings) {
    const box = this.#root.querySelector(".settings");
    if (!box || !settings) return;
    box.hidden = false;
    for (const row of box.querySelectorAll("[data-setting]")) {
      const value = settings.find(([name]) => name === row.dataset.setting)?.[1];
      row.hidden = value === undefined;
      row.querySelector("dd").textContent = JSON.parse(row.dataset.words)[value] ?? value ?? "";
    }
    box.querySelector("dl").hidden = !settings.length;
    box.querySelector(".usual").hidden = settings.length > 0;
  }

  /** Somebody said something. */
  chat({ from, text }) {
    const list = this.#box.querySelector(".talk");
    list.append(make("li", {}, make("b", { textContent: `${from}: ` }), text));
    list.scrollTop = list.scrollHeight;
    list.closest("details").open = true;
  }

  /** The link as text and as a picture, made here: the server must not get it. */
  async #invite() {
    const box = this.#box, link = location.href, { code } = this.#root.dataset;
    box.querySelector(".link").value = link;
    box.querySelector(".join").textContent = `fairdeal join '${link}'`;
    box.querySelector(".auto").textContent = `fairdeal join '${link}' --auto normal`;
    box.querySelector(".code-for").hidden = !code;
    box.querySelector(".code").textContent = code?.replace(/^(\d{3})/, "$1 ") ?? "";
    box.querySelector("[data-shares]").hidden = !navigator.share;
    if (isHere(location.host)) {
      const near = say("This link works on this computer only. To invite others, open this site by its address in your network.", "Dieser Link geht nur auf diesem Computer. Um andere einzuladen, öffne diese Seite unter ihrer Adresse in deinem Netz.");
      box.querySelector(".invite h2").after(make("p", { className: "bad near-only", textContent: near }));
    }
    const { size, path } = await this.#page.ask("module", { ask: { qr: link } });
    const picture = box.querySelector(".picture");
    picture.setAttribute("viewBox", `-4 -4 ${size + 8} ${size + 8}`);
    picture.querySelector("path").setAttribute("d", path);
  }

  #click(target) {
    const wanted = target.closest("[data-want]")?.dataset.want, copies = target.closest("[data-copies]")?.dataset.copies;
    if (wanted === "start") this.#starting = true;
    if (wanted) this.#page.want(wanted);
    if (wanted === "leave") setTimeout(() => location.assign(this.#root.dataset.lobby ?? location.pathname), 600);
    if (copies) this.#page.copied(copies === "link" ? location.href : this.#box.querySelector(`.${copies}`).textContent);
    if (target.closest("[data-shares]")) navigator.share({ url: location.href }).catch(() => {});
  }
}

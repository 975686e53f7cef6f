// A table: shows the parts that the server sends, and sends what is clicked. Nothing is decided here.
import { tell } from "./alerts.js";
import { confirm, recheck } from "./confirm.js";
import { recall, remember } from "./drafts.js";
import { line } from "./line.js";
import { morph, parse } from "./morph.js";
import { glide, places } from "./motion.js";
import { runOut } from "./runout.js";
import { german, say } from "./say.js";
import { play } from "./sounds.js";

const main = document.getElementById("table");
const muted = new Set(kept("muted", []));
let asked = false;
// Whether the player has just opened this page or looked at it again, and whether this connection has said so.
let returning = true, announced = false;
// The last draft with its height, and the number of drafts sent: the server may not have seen all of them.
let prepared = null, drafts = 0;
// The button of a prepared hint, and the hint's height.
let meant = null;
// Whether the server may not have the draft from before this connection.
let fresh = true;
// At a private table, at one of a chain and at one for one person, a worker decides everything; there is no house whose shuffling has to be watched.
const privately = main.dataset.seat !== undefined, rim = { chain: "./purse.js", solo: "./solo.js" }[main.dataset.seat] ?? "./private.js";
const nothing = { closed() {}, news() {}, heard() {}, report() {}, download() {} };
// This browser's part in shuffling.
const fair = privately ? import(rim).then(({ report }) => ({ ...nothing, report })) : import("./fair.js").then(({ Table }) => new Table(main.dataset.table, german, send));

// ---- the socket ----

const connect = privately ? (await import(rim)).line : line;
const socket = connect(main.dataset.socket, {
  opening: () => { drafts = 0; fresh = true; announced = false; },
  heard: (text) => hear(JSON.parse(text)),
  closed: () => { fair.then((fair) => fair.closed()); },
});

function send(message) {
  const sent = socket.send(JSON.stringify(message));
  if (!sent) toast(say("Not sent: there is no connection.", "Nicht gesendet: keine Verbindung."));
  return sent;
}

// Messages that arrive while the board is still being shown street by street.
const heard = [];
let running = false;

async function hear(message) {
  heard.push({ message, at: performance.now() });
  if (running) return;
  running = true;
  try {
    while (heard.length) {
      const { message: next, at } = heard.shift();
      if (next.parts) await runOut(next.parts.parts);
      // The clock runs in the meantime.
      if (next.parts?.clock) next.parts.clock.left = Math.max(0, next.parts.clock.left - (performance.now() - at));
      understand(next);
    }
  } finally {
    running = false;
  }
}

function understand(message) {
  if (message.parts) show(message.parts);
  else if (message.refused) toast(message.refused);
  else if (message.said) toast(message.said);
  else if (message.hint) hint(message.hint);
  else if (message.answered) fair.then((fair) => fair.heard(message.answered));
}

// ---- what is shown ----

function show({ parts, clock: left, seeds, wake, asked: now, drafts: answered }) {
  const before = places(), seen = hidden() <= 0, at = height();
  const ended = document.getElementById("ending");
  for (const text of parts) {
    const next = parse(text), old = document.getElementById(next.id);
    if (old) morph(old, next);
  }
  if (answered < drafts && prepared.height === height()) hold(prepared.draft);
  restore();
  point();
  recheck();
  const moved = glide(before);
  if (now && !asked) play("turn");
  else if (!ended && document.getElementById("ending")) play("end");
  else if (moved) play("card");
  const begins = now && !asked;
  asked = now;
  tell(asked, begins);
  scroll("log");
  scroll("talk");
  quieten();
  tick(left);
  if (asked && (begins || seen || at !== height())) sight(begins);
  if (!ended && document.getElementById("ending")) unveil(document.getElementById("ending"));
  comeBack();
  fair.then((fair) => fair.news(seeds, wake));
  force();
}

function scroll(id) {
  const list = document.getElementById(id);
  if (list && list.dataset.length !== String(list.children.length)) {
    list.dataset.length = list.children.length;
    list.scrollTop = list.scrollHeight;
  }
}

/** How much of the middle of the table is hidden by the desk, or below the screen if the desk is next to it. */
const hidden = () => below(document.getElementById("middle"));

/** The same for any part of the table. */
function below(part) {
  if (!part) return 0;
  const { right, bottom, top } = part.getBoundingClientRect(), near = document.querySelector(".near").getBoundingClientRect();
  const floor = near.left < right ? Math.min(near.top, innerHeight) : innerHeight;
  // If it is too tall to fit, its top is shown.
  return Math.min(bottom - floor, top);
}

/** When a deal is over, players must see how it ended, wherever they had to look before; unless they are busy in the side panel. */
function unveil(ending) {
  const under = below(ending);
  if (document.activeElement?.closest("#side") || under <= 0 && ending.getBoundingClientRect().top >= 0) return;
  scrollBy({ top: under, behavior: "instant" });
}

/**
 * On a small screen the desk covers part of the table: on their turn, players must see the middle above their cards. When
 * the turn begins, the page also scrolls back to it, unless the player is busy in the side panel.
 */
function sight(begins) {
  const under = hidden(), top = (selector) => document.querySelector(selector)?.getBoundingClientRect().top ?? 0;
  const back = begins && !document.activeElement?.closest("#side") ? Math.min(0, top("#middle"), top(".near")) : 0;
  if (under > 0 || back < 0) scrollBy({ top: under > 0 ? under : back, behavior: "instant" });
}

// Styles must know how much of the table the desk covers.
new ResizeObserver(([{ target }]) => document.documentElement.style.setProperty("--near", `${target.offsetHeight}px`)).observe(document.querySelector(".near"));

matchMedia("(orientation: portrait)").addEventListener("change", () => { if (asked) sight(true); });

// ---- players who were away ----

/** A player who opens the page, or looks at it again, is no longer away: the table asks them again. */
function comeBack() {
  if (!document.querySelector("#felt > header .away")) returning = false;
  else if (returning && !announced && !document.hidden) announced = socket.send(JSON.stringify({ command: { back: {} } }));
}

document.addEventListener("visibilitychange", () => {
  returning = !document.hidden;
  announced = false;
  comeBack();
});

// ---- the time left for the turn ----

const clock = { shown: null, next: 0 };

function tick(left) {
  const bar = document.getElementById("clock");
  clock.shown?.cancel();
  clearTimeout(clock.next);
  bar.hidden = !left;
  if (!left) return;
  bar.classList.toggle("mine", left.mine);
  const part = Math.min(1, left.left / Math.max(1, left.whole));
  clock.shown = bar.querySelector(".track div").animate([{ transform: `scaleX(${part})` }, { transform: "scaleX(0)" }], { duration: left.left, fill: "forwards" });
  count(performance.now() + left.left);
}

/** Shows the seconds and counts them down. */
function count(until) {
  const bar = document.getElementById("clock"), left = Math.max(0, until - performance.now()), seconds = Math.ceil(left / 1000);
  bar.classList.toggle("short", seconds <= 10);
  bar.querySelector("[role=timer]").textContent = `${seconds} s`;
  if (seconds > 0) clock.next = setTimeout(() => count(until), left - (seconds - 1) * 1000);
}

function toast(text) {
  const box = document.createElement("div");
  box.className = "toast";
  box.textContent = text;
  document.getElementById("toasts").append(box);
  setTimeout(() => box.remove(), 5000);
}

function hint({ what, why, draft, key, height: asked }) {
  const dialog = document.getElementById("dialog");
  dialog.replaceChildren();
  const head = document.createElement("h2"), list = document.createElement("ul"), row = document.createElement("p");
  head.textContent = what;
  for (const reason of why) list.append(Object.assign(document.createElement("li"), { textContent: reason }));
  const take = Object.assign(document.createElement("button"), { textContent: say("Prepare it", "Vorbereiten"), className: "main" });
  const close = Object.assign(document.createElement("button"), { textContent: say("Close", "Schließen") });
  take.onclick = () => {
    dialog.close();
    if (asked !== height()) return toast(say("The game has moved on.", "Das Spiel ist inzwischen weitergegangen."));
    keep(draft);
    meant = { key, height: asked, reached: false };
    point();
  };
  close.onclick = () => dialog.close();
  row.append(take, " ", close);
  dialog.append(head, list, row);
  dialog.showModal();
}

// ---- what is prepared ----

const desk = () => document.getElementById("desk");
const draft = () => JSON.parse(desk()?.dataset.draft ?? "{}");
const height = () => Number(desk()?.dataset.height ?? 0);

/** What a draft belongs to. */
const here = () => ({ player: main.dataset.player, table: main.dataset.table, deal: desk().dataset.deal, height: height() });

/** Restores the draft after a reload or a lost connection; otherwise saves it for then. */
function restore() {
  if (!desk()?.dataset.draft) return;
  const before = fresh ? recall(here()) : null;
  fresh = false;
  if (before) keep(before);
  else remember(here(), draft());
}

function keep(changed) {
  meant = null;
  hold(changed);
  remember(here(), changed);
  prepared = { draft: changed, height: height() };
  if (send({ draft: changed })) drafts += 1;
}

/** Shows a draft at once; the server's answer follows. */
function hold(changed) {
  desk().dataset.draft = JSON.stringify(changed);
  for (const card of desk().querySelectorAll("button.card[aria-pressed]")) card.setAttribute("aria-pressed", changed.marked.includes(card.dataset.slot));
  for (const id of ["amount", "number"]) {
    const field = document.getElementById(id);
    if (field && field !== document.activeElement && changed.amount !== null) field.value = within(field, changed.amount);
  }
}

/** The button that Enter presses: that of a prepared hint, or the only possible move that is not grave. */
function plain() {
  if (meant?.height === height()) return document.querySelector(`#key-${meant.key}[data-key]`);
  const moves = document.querySelectorAll(".buttons button.main[data-key]");
  return moves.length === 1 ? moves[0] : null;
}

/** Highlights the button of a prepared hint; it gets the focus once it can be pressed. */
function point() {
  if (meant?.height !== height()) meant = null;
  const button = meant && plain();
  desk()?.classList.toggle("pointing", Boolean(button));
  for (const one of document.querySelectorAll(".buttons button")) one.classList.toggle("meant", one === button);
  if (button && !meant.reached) {
    meant.reached = true;
    button.focus();
  }
}

function mark(card) {
  const changed = draft(), slot = card.dataset.slot, was = changed.marked.includes(slot);
  if (desk().dataset.marking === "one") changed.marked = was ? [] : [slot];
  else changed.marked = was ? changed.marked.filter((one) => one !== slot) : [...changed.marked, slot];
  keep(changed);
}

function press(key) {
  meant = null;
  return send({ press: { key, height: height(), draft: draft() } });
}

// ---- forced moves ----

let forced = null;

/** Makes a forced move: once at each height, and only after the player could see why. */
function force() {
  const at = height(), only = () => document.querySelector(".buttons [data-forced]");
  if (!only() || forced === at) return;
  forced = at;
  const pause = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 1200;
  setTimeout(() => {
    // Without a connection, it is made when there is one again.
    if (height() === at && only() && !press(only().dataset.key)) forced = null;
  }, pause);
}

function place(number) {
  meant = null;
  send({ place: { place: number, height: height(), draft: draft() } });
}

document.addEventListener("click", async ({ target: clicked }) => {
  const target = clicked.closest("button");
  if (!target) return;
  const { sure, key } = target.dataset, at = height();
  // A question about a move is for one height; leaving is the same at any height.
  const asks = () => target.isConnected && target.dataset.sure === sure && (!key || height() === at);
  if (sure && !(await confirm({ question: sure, yes: target.firstChild.textContent, holds: asks }))) return;
  // On a small screen the reason is not shown anywhere else.
  if (target.getAttribute("aria-disabled") === "true") { if (target.title) toast(target.title); }
  else if (target.dataset.place !== undefined) place(Number(target.dataset.place));
  else if (target.dataset.key) press(target.dataset.key);
  else if (target.dataset.slot && target.hasAttribute("aria-pressed")) mark(target);
  else if (target.dataset.command) send({ command: JSON.parse(target.dataset.command) });
  else if (target.dataset.hint !== undefined) send({ hint: {} });
  else if (target.dataset.mute) mute(target.dataset.mute, true);
  else if (target.dataset.unmute) mute(target.dataset.unmute, false);
  else if (target.dataset.verify !== undefined) fair.then((fair) => fair.report(document.getElementById("dialog")));
  else if (target.dataset.kept !== undefined) fair.then((fair) => fair.download());
  else if (target.dataset.copy) copy(target.dataset.copy);
  else if (target.dataset.share) navigator.share({ title: document.title, url: target.dataset.share }).catch(() => { /* The player changed their mind. */ });
});

/** Dragging gives round amounts, and the minimum and maximum; typing gives exactly what is typed. */
document.addEventListener("input", ({ target }) => {
  if (target.id === "amount") {
    const { least, most, step } = range(target), amount = Number(target.value);
    take(amount > most - step / 2 ? most : least + Math.round((amount - least) / step) * step);
  } else if (target.id === "number" && target.value !== "" && Number.isFinite(Number(target.value))) {
    take(Math.round(Number(target.value)));
  }
});

/** Leaving the field shows the amount that counts, which is limited to what is possible. */
document.addEventListener("focusout", ({ target }) => {
  if (target.id === "number") target.value = within(target, draft().amount ?? Number(target.defaultValue));
});

const within = (field, amount) => Math.max(Number(field.min), Math.min(Number(field.max), amount));
const range = (slider) => ({ least: Number(slider.min), most: Number(slider.max), step: Number(slider.dataset.step) || 1 });

/** Takes an amount, and moves the slider to it. */
function take(amount) {
  const slider = document.getElementById("amount");
  if (slider === document.activeElement) slider.value = amount;
  keep({ ...draft(), amount });
}

/** The keys of the slider change the amount by its step. */
function slide(event) {
  const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 5, PageDown: -5 }[event.key];
  if (event.target.id !== "amount" || !by) return false;
  const { least, most, step } = range(event.target);
  take(Math.min(most, Math.max(least, Number(event.target.value) + by * step)));
  return true;
}

document.addEventListener("keydown", (event) => {
  if (slide(event)) return event.preventDefault();
  // Holding Enter a little too long must not press the button that just got the focus.
  if (event.key === "Enter" && event.repeat) return event.preventDefault();
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select, dialog")) return;
  const key = event.key.toLowerCase();
  if (event.key === "Enter" && !event.target.closest("button, a, summary")) {
    plain()?.click();
  } else if (key === "h") document.getElementById("hint")?.click();
  else if (/^[0-9]$/.test(key)) {
    const cards = desk()?.querySelectorAll(".hand button.card") ?? [];
    cards[key === "0" ? 9 : Number(key) - 1]?.click();
  } else if (key === "arrowright" || key === "arrowleft") {
    const cards = [...(desk()?.querySelectorAll("button.card") ?? [])], at = cards.indexOf(document.activeElement);
    if (cards.length) cards[(at + (key === "arrowright" ? 1 : cards.length - (at < 0 ? 0 : 1))) % cards.length].focus();
    else return;
  } else {
    const button = [...document.querySelectorAll(".controls [data-key]")].find((one) => one.dataset.key === key);
    if (!button) return;
    button.click();
  }
  event.preventDefault();
});

// ---- inviting others ----

document.body.classList.toggle("shares", Boolean(navigator.share));

async function copy(link) {
  let copied = true;
  try {
    await navigator.clipboard.writeText(link);
  } catch {
    // Without https there is no clipboard, but a selection can be copied.
    getSelection().selectAllChildren(document.querySelector(".invite a"));
    copied = document.execCommand("copy");
  }
  toast(copied ? say("The link is copied.", "Link kopiert.") : say("Select and copy the link yourself.", "Kopiere den markierten Link selbst."));
}

// ---- chat ----

// Not every table has a chat.
document.getElementById("say")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const input = event.target.elements.text, text = input.value.trim();
  if (text) send({ command: { say: { text } } });
  input.value = "";
});

function mute(player, on) {
  if (on) muted.add(player);
  else muted.delete(player);
  try {
    localStorage.setItem("muted", JSON.stringify([...muted]));
  } catch { /* Then it lasts as long as the page. */ }
  quieten();
}

/** Hides messages of muted people, and offers to unmute them. */
function quieten() {
  const names = new Map();
  // Nobody can mute themselves, and each player has one mute button, at their last message.
  const offered = new Set([main.dataset.player]);
  for (const line of [...document.querySelectorAll("#talk li")].reverse()) {
    const { player } = line.dataset;
    line.classList.toggle("muted", muted.has(player));
    line.querySelector(".mute").hidden = offered.has(player);
    offered.add(player);
    if (muted.has(player)) names.set(player, line.querySelector("strong").textContent);
  }
  const list = document.getElementById("muted");
  if (!list) return;
  list.hidden = names.size === 0;
  list.replaceChildren(say("Muted: ", "Stumm: "));
  for (const [player, name] of names) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "quiet", textContent: say(`Unmute ${name}`, `Stummschaltung aufheben: ${name}`) });
    button.dataset.unmute = player;
    list.append(button, " ");
  }
  notice();
}

// The bar at the top counts the messages that arrived while the chat was out of sight, and links to them.
const news = Object.assign(document.createElement("a"), { id: "unread", href: "#talk", hidden: true });
const last = (lines) => Math.max(-1, ...lines.map(({ id }) => Number(id.replace("said-", ""))));
const talked = () => [...document.querySelectorAll("#talk li")];
let read = last(talked()), chatting = false;
document.querySelector(".bar")?.append(news);

function notice() {
  if (chatting) read = last(talked());
  const by = ({ dataset: { player } }) => player !== main.dataset.player && !muted.has(player);
  const count = talked().filter((line) => last([line]) > read && by(line)).length;
  news.hidden = count === 0;
  news.textContent = `Chat ${count}`;
  news.setAttribute("aria-label", say(`Chat ${count} new`, `Chat ${count} neu`));
}

const chat = document.getElementById("say");
if (chat) {
  new IntersectionObserver((entries) => {
    chatting = entries.at(-1).isIntersecting;
    notice();
  }).observe(chat);
}

news.addEventListener("click", (event) => {
  event.preventDefault();
  const talk = document.getElementById("talk");
  talk.closest("details").open = true;
  document.getElementById("say").scrollIntoView({ block: "center" });
  talk.focus({ preventScroll: true });
});

/** A value that this browser has kept, if it can be read. */
function kept(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

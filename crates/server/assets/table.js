// A table: shows the parts that the server sends, and sends what is clicked. Nothing is decided here.
import { morph, parse } from "./morph.js";
import { glide, places } from "./motion.js";
import { play } from "./sounds.js";

const main = document.getElementById("table");
const german = document.documentElement.lang === "de";
const say = (english, deutsch) => (german ? deutsch : english);
const muted = new Set(JSON.parse(localStorage.getItem("muted") ?? "[]"));
let socket = null, pause = 500, asked = false, clock = null;

// ---- the socket ----

function connect() {
  const address = new URL(main.dataset.socket, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  socket = new WebSocket(address);
  socket.onopen = () => { pause = 500; document.body.classList.remove("offline"); };
  socket.onmessage = (message) => hear(JSON.parse(message.data));
  socket.onclose = () => {
    document.body.classList.add("offline");
    setTimeout(connect, pause);
    pause = Math.min(pause * 2, 8000);
  };
}

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  else toast(say("No connection. Trying again …", "Keine Verbindung. Neuer Versuch …"));
}

function hear(message) {
  if (message.parts) show(message.parts);
  else if (message.refused) toast(message.refused);
  else if (message.said) toast(message.said);
  else if (message.hint) hint(message.hint);
}

// ---- what is shown ----

function show({ parts, clock: left, seeds, asked: now }) {
  const before = places();
  const ended = document.getElementById("ending");
  for (const text of parts) {
    const next = parse(text), old = document.getElementById(next.id);
    if (old) morph(old, next);
  }
  const moved = glide(before);
  if (now && !asked) play("turn");
  else if (!ended && document.getElementById("ending")) play("end");
  else if (moved) play("card");
  asked = now;
  document.title = (asked ? "● " : "") + document.title.replace(/^● /, "");
  scroll("log");
  scroll("talk");
  mute();
  tick(left);
  if (seeds) fairness(seeds);
}

function scroll(id) {
  const list = document.getElementById(id);
  if (list && list.dataset.length !== String(list.children.length)) {
    list.dataset.length = list.children.length;
    list.scrollTop = list.scrollHeight;
  }
}

function tick(left) {
  const bar = document.getElementById("clock"), hand = bar.firstElementChild;
  clock?.cancel();
  bar.hidden = !left;
  if (!left) return;
  bar.classList.toggle("mine", left.mine);
  bar.classList.toggle("short", left.left < 10000);
  bar.setAttribute("aria-label", say("Time left", "Restzeit"));
  const part = Math.min(1, left.left / Math.max(1, left.whole));
  clock = hand.animate([{ transform: `scaleX(${part})` }, { transform: "scaleX(0)" }], { duration: left.left, fill: "forwards" });
}

function toast(text) {
  const box = document.createElement("div");
  box.className = "toast";
  box.textContent = text;
  document.getElementById("toasts").append(box);
  setTimeout(() => box.remove(), 5000);
}

function hint({ what, why, draft }) {
  const dialog = document.getElementById("dialog");
  dialog.replaceChildren();
  const head = document.createElement("h2"), list = document.createElement("ul"), row = document.createElement("p");
  head.textContent = what;
  for (const reason of why) list.append(Object.assign(document.createElement("li"), { textContent: reason }));
  const take = Object.assign(document.createElement("button"), { textContent: say("Prepare it", "Vorbereiten"), className: "main" });
  const close = Object.assign(document.createElement("button"), { textContent: say("Close", "Schließen") });
  take.onclick = () => { dialog.close(); send({ draft }); };
  close.onclick = () => dialog.close();
  row.append(take, " ", close);
  dialog.append(head, list, row);
  dialog.showModal();
}

// ---- what is prepared ----

const desk = () => document.getElementById("desk");
const draft = () => JSON.parse(desk()?.dataset.draft ?? "{}");
const height = () => Number(desk()?.dataset.height ?? 0);

function keep(changed) {
  desk().dataset.draft = JSON.stringify(changed);
  send({ draft: changed });
}

function mark(card) {
  const changed = draft(), slot = card.dataset.slot, was = changed.marked.includes(slot);
  if (desk().dataset.marking === "one") changed.marked = was ? [] : [slot];
  else changed.marked = was ? changed.marked.filter((one) => one !== slot) : [...changed.marked, slot];
  // Shown at once; the server's answer says what it makes of it.
  for (const one of desk().querySelectorAll("button.card[aria-pressed]")) one.setAttribute("aria-pressed", changed.marked.includes(one.dataset.slot));
  keep(changed);
}

function press(key) {
  send({ press: { key, height: height(), draft: draft() } });
}

document.addEventListener("click", (event) => {
  const target = event.target.closest("button");
  if (!target || target.getAttribute("aria-disabled") === "true") return;
  if (target.dataset.place !== undefined) send({ place: { place: Number(target.dataset.place), height: height(), draft: draft() } });
  else if (target.dataset.key) press(target.dataset.key);
  else if (target.dataset.slot && target.hasAttribute("aria-pressed")) mark(target);
  else if (target.dataset.command) send({ command: JSON.parse(target.dataset.command) });
  else if (target.dataset.hint !== undefined) send({ hint: {} });
  else if (target.dataset.mute) { muted.add(target.dataset.mute); localStorage.setItem("muted", JSON.stringify([...muted])); mute(); }
  else if (target.dataset.verify !== undefined) verify();
});

document.addEventListener("input", (event) => {
  if (event.target.id !== "amount" && event.target.id !== "number") return;
  const amount = Number(event.target.value);
  if (!Number.isFinite(amount)) return;
  for (const id of ["amount", "number"]) {
    const other = document.getElementById(id);
    if (other && other !== event.target) other.value = amount;
  }
  keep({ ...draft(), amount: Math.round(amount) });
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select, dialog")) return;
  const key = event.key.toLowerCase();
  if (event.key === "Enter" && !event.target.closest("button, a, summary")) {
    document.querySelector(".buttons button.main[data-key]")?.click();
  } else if (key === "h") document.getElementById("hint")?.click();
  else if (/^[0-9]$/.test(key)) {
    const cards = desk()?.querySelectorAll(".hand button.card") ?? [];
    cards[key === "0" ? 9 : Number(key) - 1]?.click();
  } else if (key === "arrowright" || key === "arrowleft") {
    const cards = [...(desk()?.querySelectorAll("button.card") ?? [])], at = cards.indexOf(document.activeElement);
    if (cards.length) cards[(at + (key === "arrowright" ? 1 : cards.length - (at < 0 ? 0 : 1))) % cards.length].focus();
    else return;
  } else {
    const button = [...document.querySelectorAll(".buttons [data-key]")].find((one) => one.dataset.key === key);
    if (!button) return;
    button.click();
  }
  event.preventDefault();
});

// ---- chat ----

document.getElementById("say").addEventListener("submit", (event) => {
  event.preventDefault();
  const input = event.target.elements.text, text = input.value.trim();
  if (text) send({ command: { say: { text } } });
  input.value = "";
});

function mute() {
  for (const line of document.querySelectorAll("#talk li")) {
    line.classList.toggle("muted", muted.has(line.dataset.player));
    const own = line.dataset.player === main.dataset.player;
    line.querySelector(".mute").hidden = own;
  }
}

// ---- fairness ----

async function fairness(seeds) {
  const { answer } = await import("./fair.js");
  const command = answer(seeds);
  if (command) send({ command });
}

async function verify() {
  const { report } = await import("./fair.js");
  report(main.dataset.table, document.getElementById("dialog"), german);
}

connect();

// The page of a private table: a form for a new one, or coming, knocking, who is there, then the match. Everything is decided in
// the worker's module; the server sees sealed bytes, and never the part of the address after #.
import { Checked } from "./checked.js";
import { copy } from "./copying.js";
import { make } from "./morph.js";
import { ownKey } from "./ownkey.js";
import { say } from "./say.js";
import { trouble } from "./trouble.js";

const root = document.getElementById("private");
// The name says which game's module it loads.
const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: root.dataset.game });
const part = (name) => root.querySelector(`[data-part=${name}]`);
const post = (kind, more = {}) => worker.postMessage({ kind, ...more });
const want = (wanted) => post("want", { want: wanted });
/** The line of the table, once a match is shown; and what came before. */
let heard = null, waiting = [], playing = false;
/** Why it does not go on, in the module's word. */
let code = null;

const show = (name) => {
  for (const one of root.querySelectorAll("[data-part]")) one.hidden = one.dataset.part !== name;
};

/** Asks the worker something. */
const asked = new Map();
let questions = 0;
const ask = (kind, more = {}) =>
  new Promise((resolve, reject) => {
    asked.set(++questions, { resolve, reject });
    post(kind, { ...more, number: questions });
  });

worker.addEventListener("message", ({ data }) => {
  if (data.ready) begin();
  else if (data.stranger) location.hash ? greet(data.stranger) : door();
  else if (data.ticket) returned(data.ticket);
  else if (data.created) location.href = data.created;
  else if (data.told) understand(data.told);
  else if (data.answered !== undefined) {
    const { resolve, reject } = asked.get(data.answered);
    asked.delete(data.answered);
    "error" in data ? reject(new Error(data.error)) : resolve(data.value);
  } else if (data.failed !== undefined) fail(data.failed);
});
worker.addEventListener("error", ({ message }) => {
  // A script that could not be loaded has no message.
  const known = message ? trouble(null, message).code : "unreachable";
  code ??= known === "other" ? "module" : known;
  fail("");
});

function begin() {
  const { table } = root.dataset;
  ownKey(root.querySelector(".own-key"), ask);
  if (!table) return fresh();
  post("arrive", { table });
}

/** Somebody who sits here has come back, perhaps without the key. With it, the link in the address bar is the one to share. */
function returned(ticket) {
  if (!location.hash) history.replaceState(null, "", new URL(ticket).hash);
}

/**
 * Loads the page again once the server answers: everything goes on from what is stored. If that does not help, the next try
 * comes later.
 */
async function comeBack() {
  const answers = () => fetch(location.pathname, { method: "HEAD", cache: "no-store" }).then(({ ok }) => ok, () => false);
  let tries = 0;
  try {
    tries = Number(sessionStorage.getItem("tries"));
    sessionStorage.setItem("tries", tries + 1);
  } catch { /* Then every try comes as soon as the first. */ }
  do await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** tries++, 8000)));
  while (!(await answers()));
  location.reload();
}

function fail(why) {
  const said = trouble(code, why), { what, blame, detail } = said;
  // At a table nothing is lost; a form would be.
  const returns = said.code === "unreachable" && root.dataset.table;
  const then = returns ? say("It goes on by itself as soon as the server answers.", "Es geht von selbst weiter, sobald der Server antwortet.") : said.then;
  if (returns && !fail.returning) {
    fail.returning = true;
    comeBack();
  }
  if (playing) {
    const alarm = document.getElementById("alarm");
    alarm.textContent = [what, blame, then, detail].filter(Boolean).join(" ");
    alarm.hidden = false;
    document.body.classList.add("offline");
    alarm.scrollIntoView({ block: "nearest" });
    return;
  }
  const box = part("failed");
  box.querySelector(".what").textContent = what;
  for (const [name, text] of Object.entries({ blame, then, detail })) {
    const line = box.querySelector(`.${name}`);
    line.textContent = text;
    (name === "detail" ? line.parentElement : line).hidden = !text;
  }
  // A form can be corrected and sent again.
  if (part("new")) box.hidden = false;
  else show("failed");
}
part("failed").querySelector("[data-reload]").addEventListener("click", () => location.reload());

/** A short note. */
export function toast(text) {
  const box = document.getElementById("toasts") ?? document.body.appendChild(make("div", { id: "toasts" }));
  box.setAttribute("role", "status");
  // Before a match the box of the table is hidden with it.
  if (!playing && box.closest("#seat")) document.body.append(box);
  const note = make("p", { className: "toast", textContent: text });
  box.append(note);
  setTimeout(() => note.remove(), 5000);
}

const copied = async (text) => toast((await copy(text)) ? say("Copied.", "Kopiert.") : say("Select it and copy it yourself.", "Markiere und kopiere es selbst."));

// ---- a new table ----

async function fresh() {
  const name = await ask("name");
  const field = part("new").querySelector("#name");
  if (name && !field.value) field.value = name;
  part("new").addEventListener("submit", create);
  part("new").dataset.ready = "";
}

async function create(event) {
  event.preventDefault();
  const form = event.target, name = form.elements.name.value.trim();
  if (!name) return form.elements.name.focus();
  const button = form.querySelector("button.main");
  button.disabled = true;
  code = null;
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    if (answer.status === 422) {
      const next = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("form");
      form.replaceWith(next);
      next.querySelector(".wrong")?.scrollIntoView({ block: "center" });
      return;
    }
    if (!answer.ok) throw new Error(answer.statusText);
    post("create", { ...(await answer.json()), at: location.origin, title: form.dataset.game, name });
  } catch (why) {
    fail(String(why));
  } finally {
    button.disabled = false;
  }
}

// ---- coming ----

/** Whether somebody has just been let in: they need not say again who they are. */
const admitted = {
  note: () => { try { sessionStorage.setItem("admitted", root.dataset.table); } catch { /* They type their name again. */ } },
  taken: () => {
    try {
      const is = sessionStorage.getItem("admitted") === root.dataset.table;
      sessionStorage.removeItem("admitted");
      return is;
    } catch {
      return false;
    }
  },
};

function greet({ name, offer, lasts }) {
  const form = part("enter").querySelector("form");
  form.elements.name.value = name ?? root.dataset.name ?? "";
  form.querySelector(".brief").hidden = lasts;
  show("enter");
  // The host sits at their own table.
  if (name && (offer || admitted.taken())) come(name, false);
  else form.elements.name.focus();
}

const come = (name, watch) => post("come", { ticket: location.href, name, watch });

part("enter")?.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = event.target.elements.name.value.trim();
  if (!name) return;
  // Otherwise the browser may throw the player's key away when it needs room.
  navigator.storage?.persist?.().catch(() => {});
  come(name, false);
});
part("enter")?.querySelector("[data-watch]").addEventListener("click", () => come("", true));

// ---- knocking ----

async function door() {
  const box = part("knock"), form = box.querySelector("form"), can = Boolean(root.dataset.code);
  form.elements.name.value = (await ask("name")) ?? root.dataset.name ?? "";
  form.hidden = !can;
  box.querySelector(".shut").hidden = can;
  show("knock");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = form.elements.name.value.trim();
    if (!name) return;
    form.hidden = true;
    box.querySelector(".cut").hidden = true;
    atDoor("waits");
    code = null;
    post("knock", { at: location.origin, table: root.dataset.table, name });
  });
}

function atDoor(told) {
  const box = part("knock").querySelector(".door"), words = told.words;
  const texts = {
    waits: say("Knocking …", "Es wird angeklopft …"),
    knocking: say("You have knocked. Waiting for somebody at the table …", "Du hast angeklopft. Warten auf jemanden am Tisch …"),
    offline: say("No connection to the server. Trying again …", "Keine Verbindung zum Server. Neuer Versuch …"),
    declined: say("Nobody at the table lets you in.", "Niemand am Tisch lässt dich herein."),
    unanswered: say("Nobody has answered for five minutes. You can knock again.", "Seit fünf Minuten hat niemand geantwortet. Du kannst noch einmal anklopfen."),
  };
  if (told.ticket) {
    admitted.note();
    history.replaceState(null, "", told.ticket);
    return location.reload();
  }
  box.hidden = false;
  box.querySelector(".says").textContent = words ? say("Somebody has answered. Your words:", "Jemand hat geantwortet. Deine Wörter:") : texts[told];
  for (const one of box.querySelectorAll(".four, .compare")) one.hidden = !words;
  if (words) box.querySelector(".four").textContent = words.join(" ");
  part("knock").querySelector("form").hidden = !["declined", "unanswered"].includes(told);
}

// ---- before the match ----

// Without it there is nothing to go on with, so whoever waits for it waits for ever.
const gathering = import("./gather.js").catch((why) => (fail(String(why)), new Promise(() => {})));

async function lobby(now) {
  const { Gathering } = await gathering;
  if (playing) return;
  arrived();
  show("lobby");
  lobby.shown ??= new Gathering(root, { want, ask, copied, toast });
  lobby.shown.show(now);
}

// ---- the match ----

/** What the table of a house talks to, here the worker: see line.js. */
export function line(_, { opening, heard: hear }) {
  opening();
  // What came before the table was ready to hear it is told once its script has run.
  setTimeout(() => {
    heard = hear;
    waiting.splice(0).forEach(hear);
  });
  return { send: (text) => (want({ page: text }), true) };
}

function understand(told) {
  if (told.lobby) lobby(told.lobby);
  else if (told.door) atDoor(told.door);
  else if (told.trouble) code = told.trouble;
  else if (told.match) match(told.match);
  else if (told.page) heard ? heard(JSON.stringify(told.page)) : waiting.push(JSON.stringify(told.page));
  else if (told.over) over(told.over);
  else if (told.news?.chat) lobby.shown?.chat(told.news.chat);
  else if (told.news?.secrets) toast(say("The keys of this browser for this match are lost. You watch until there are new ones.", "Die Schlüssel dieses Browsers für diese Partie sind verloren. Du siehst zu, bis es neue gibt."));
  else if (told.news?.refused) toast(say("This cannot be done now.", "Das geht jetzt nicht."));
}

/** Everything was loaded. */
function arrived() {
  try {
    sessionStorage.removeItem("tries");
  } catch { /* There is nothing to forget. */ }
}

let checked = null;
function match(now) {
  if (!playing) {
    playing = true;
    arrived();
    root.hidden = true;
    const seat = document.getElementById("seat");
    seat.append(document.getElementById("toasts"));
    seat.hidden = false;
    document.body.className = "table";
    checked = new Checked(document, { want });
    want({ draw: document.documentElement.lang });
    // The server may be gone just now.
    import("./table.js").catch((why) => fail(String(why)));
    // The screen stays on, where the browser allows that.
    const awake = () => document.visibilityState === "visible" && navigator.wakeLock?.request("screen").catch(() => {});
    awake();
    document.addEventListener("visibilitychange", awake);
  }
  checked.show(now);
}

/** What the page of a house table does for "Verify", here with the log of this browser. */
export const report = async (dialog) => (await import("./after.js")).report(dialog, ask);

let after = null;
async function over(ended) {
  after ??= import("./after.js").then(({ After }) => new After(document.getElementById("after"), { ask, toast, station: root.dataset.station === "yes", lobby: root.dataset.lobby, game: root.dataset.game }));
  try {
    (await after).show(ended);
  } catch (why) {
    after = null;
    fail(String(why));
  }
}

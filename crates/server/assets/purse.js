// The page of chain tables: a wallet, which node is asked, the tables, and one table. Everything is decided and proven in the
// worker's module; the key of the wallet is in the page only while its owner looks at it.
import { make, morph, parse } from "./morph.js";
import { theNode } from "./node.js";
import { ownWallet } from "./ownwallet.js";
import { say } from "./say.js";
import { Seating } from "./seating.js";

const root = document.getElementById("chain-play");
const worker = new Worker(new URL("./wallet.js", import.meta.url), { type: "module" });
const part = (name) => root.querySelector(`[data-part=${name}]`);
const post = (kind, more = {}) => worker.postMessage({ kind, ...more });
const want = (wanted) => post("want", { want: wanted });
const table = root.dataset.table ? Number(root.dataset.table) : null;
const node = theNode(root, { want, remember: (chosen) => ask("node", { node: chosen }) });
/** What the table talks to, once it is shown; and what came before. */
let heard = null, waiting = [], playing = false;

/** Asks the worker something. */
const asked = new Map();
let questions = 0;
const ask = (kind, more = {}) =>
  new Promise((resolve, reject) => {
    asked.set(++questions, { resolve, reject });
    post(kind, { ...more, number: questions });
  });

worker.addEventListener("message", ({ data }) => {
  if (data.ready) post("open");
  else if (data.stranger) greet(data.stranger);
  else if (data.opened) begin(data.opened);
  else if (data.told) understand(data.told);
  else if (data.answered !== undefined) {
    const { resolve, reject } = asked.get(data.answered);
    asked.delete(data.answered);
    "error" in data ? reject(new Error(data.error)) : resolve(data.value);
  } else if (data.failed !== undefined) fail(data.failed);
});
worker.addEventListener("error", () => fail("WebAssembly"));

// ---- the wallet ----

function greet({ lasts }) {
  part("begin").querySelector(".brief").hidden = lasts;
  part("begin").hidden = false;
}

part("begin").querySelector("[data-begin]").addEventListener("click", async () => {
  // Otherwise the browser may throw the key away when it needs room.
  navigator.storage?.persist?.().catch(() => {});
  await ask("become", { key: null }).catch((why) => fail(why.message));
  post("open");
});

/** Words from the page before, which led here. */
const carried = {
  put: (text) => { try { sessionStorage.setItem("chain-note", text); } catch { /* Then it is not said. */ } },
  take: () => {
    try {
      const text = sessionStorage.getItem("chain-note");
      sessionStorage.removeItem("chain-note");
      return text;
    } catch {
      return null;
    }
  },
};

function begin({ address, node: chosen }) {
  part("begin").hidden = true;
  for (const one of root.querySelectorAll("[data-with=wallet]")) one.hidden = false;
  part("tables").hidden = false;
  root.querySelector(".address").textContent = address;
  note(carried.take());
  want({ draw: document.documentElement.lang });
  if (table !== null) want({ open: table });
  node.begin(chosen);
}

/** Another wallet is used from now on, everywhere on this page. */
async function become(key) {
  await ask("become", { key });
  location.reload();
}
ownWallet(root, { ask, become });

// ---- what the module says ----

function understand(told) {
  if (told.page) page(told.page);
  else if (told.list !== undefined) list(told.list);
  else if (told.trouble !== undefined) trouble(told.trouble);
  else if (told.note) note(told.note);
  else if (told.at) node.found(told.at);
  else if (told.verified) verified(told.verified);
  else if (told.table !== undefined) go(told.table);
}

/** The person is at another table now, or at none. */
function go(at) {
  if (at !== null && at !== table) location.assign(`/chain/table/${at}`);
  else if (at === null && table !== null) {
    carried.put(root.querySelector(".note").textContent);
    location.replace("/chain/play");
  }
}

function list(html) {
  // On the way to a table that does not exist, or from it.
  if (table !== null) return;
  const next = parse(html), now = document.getElementById("list");
  if (next?.id === now.id) morph(now, next);
}

/** Something that the person should know. */
function note(text) {
  const line = root.querySelector(".note");
  line.textContent = text ?? "";
  line.hidden = !text;
  if (playing && text) toast(text);
}

function toast(text) {
  const box = make("div", { className: "toast", textContent: text });
  document.getElementById("toasts").append(box);
  setTimeout(() => box.remove(), 5000);
}

/** What is wrong with the node, until it is not. */
function trouble(wrong) {
  for (const line of [root.querySelector(".trouble"), document.getElementById("alarm")]) {
    const before = line.dataset.text ?? "", text = wrong?.text ?? "";
    if (before === text) continue;
    line.dataset.text = text;
    line.replaceChildren(text);
    if (wrong?.found) line.append(" ", again(wrong.found));
    line.hidden = !wrong;
    line.classList.toggle("lie", Boolean(wrong?.lie));
  }
  const list = document.getElementById("list");
  // What is wrong is said; nobody has to wait for what does not come.
  if (wrong && !list.querySelector(".rows")) list.textContent = "";
  document.body.classList.toggle("offline", Boolean(wrong));
}

/** For those who know that their node belongs to another chain by now. */
function again(chain) {
  const button = make("button", { type: "button", textContent: say("Use that chain from now on", "Ab jetzt diese Chain benutzen") });
  button.addEventListener("click", () => node.meant(chain));
  return button;
}

function fail(why) {
  const box = part("failed");
  box.querySelector(".what").textContent = words(why);
  box.querySelector(".detail").textContent = why;
  box.hidden = false;
  if (!playing) return;
  const alarm = document.getElementById("alarm");
  alarm.textContent = `${words(why)} ${say("Reload the page.", "Lade die Seite neu.")}`;
  alarm.hidden = false;
}
part("failed").querySelector("[data-reload]").addEventListener("click", () => location.reload());

function words(why) {
  if (/ConstraintError|already exists/.test(why)) return say("This wallet has just taken a seat in another tab. Go on there, or try again here.", "Diese Wallet hat gerade in einem anderen Tab einen Platz eingenommen. Mach dort weiter oder versuch es hier noch einmal.");
  if (/QuotaExceeded|not stored/.test(why)) return say("This browser has no storage left. Free some space first: a key that is not stored is lost.", "Dieser Browser kann nichts mehr speichern. Schaff erst Platz: Ein Schlüssel, der nicht gespeichert ist, ist verloren.");
  if (/Failed to fetch|NetworkError|Load failed/.test(why)) return say("The server cannot be reached.", "Der Server ist nicht zu erreichen.");
  if (/WebAssembly|CompileError/.test(why)) return say("This browser cannot run the program for chain tables. It needs WebAssembly.", "Dieser Browser kann das Programm für Tische einer Chain nicht ausführen. Er braucht WebAssembly.");
  return say("Something unexpected happened.", "Etwas Unerwartetes ist passiert.");
}

// ---- sitting down, and coins ----

const seating = new Seating(document.getElementById("seating"), { want, toast: (text) => (playing ? toast(text) : note(text)) });
document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-sit], [data-want]");
  if (button?.dataset.sit) seating.ask(button);
  else if (button) want(JSON.parse(button.dataset.want));
});

// ---- the table ----

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

function page(told) {
  if (!playing) {
    playing = true;
    root.hidden = true;
    document.getElementById("seat").hidden = false;
    document.getElementById("table").dataset.table = `chain ${table}`;
    document.body.className = "table";
    // The server may be gone just now.
    import("./table.js").catch((why) => fail(String(why)));
    // The screen stays on, where the browser allows that.
    const awake = () => document.visibilityState === "visible" && navigator.wakeLock?.request("screen").catch(() => {});
    awake();
    document.addEventListener("visibilitychange", awake);
  }
  const text = JSON.stringify(told);
  heard ? heard(text) : waiting.push(text);
}

// ---- checking a hand ----

let report_ = null;

/** What the page of a house table does for "Verify": the module repeats the hand. */
export function report(dialog) {
  report_ = dialog;
  show(make("p", { textContent: say("Checking every shuffle, card and pot …", "Jedes Mischen, jede Karte und jeder Pot werden geprüft …") }), make("progress", { ariaLabel: say("Checking", "Prüfung läuft") }));
  dialog.showModal();
  want({ page: JSON.stringify({ command: { verify: {} } }) });
}

const verified = (html) => report_?.open && show(parse(`<div>${html}</div>`));

function show(...inside) {
  const close = make("button", { type: "button", className: "main", textContent: say("Close", "Schließen") });
  close.addEventListener("click", () => report_.close());
  report_.replaceChildren(...inside, make("p", {}, close));
  report_.scrollTop = 0;
}


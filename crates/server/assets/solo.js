// The page of a table for one person: the form, then the table. Everything is decided in the worker's module, which is the whole
// house; once this page is loaded, it asks no server for anything.
import { make } from "./morph.js";
import { say } from "./say.js";

const root = document.getElementById("solo"), seat = document.getElementById("seat"), main = document.getElementById("table");
const { game, name, avatar } = root.dataset, { lang } = document.documentElement;
// Under the address that the service worker looks after: a worker's script is not looked up in the place of its page.
const worker = new Worker(`/solo${new URL("./solotable.js", import.meta.url).pathname}`, { type: "module" });
const part = (wanted) => root.querySelector(`[data-part=${wanted}]`);
const post = (kind, more = {}) => worker.postMessage({ kind, ...more });
const want = (wanted) => post("want", { want: wanted });
/** The line of the table, once its script has run; and what came before. */
let table = null, waiting = [];
/** Why it does not go on, in the module's word. */
let code = null;

// The table's script is there before a match begins: the server may be gone by then.
import("./table.js").catch((why) => fail(String(why)));

worker.addEventListener("message", ({ data }) => {
  if (data.ready) post("arrive", { game });
  else if (data.stranger) fresh(data.stranger);
  else if (data.told) understand(data.told, data.id);
  else if (data.failed !== undefined) fail(data.failed);
});
worker.addEventListener("error", () => {
  code ??= "module";
  fail("");
});

function understand(told, id) {
  if (told.match) begin(id);
  else if (told.page) table ? table.heard(JSON.stringify(told.page)) : waiting.push(JSON.stringify(told.page));
  else if (told.wrong) correct(told.wrong);
  else if (told.trouble) code = told.trouble;
  else if (told.left) post("end");
}

// ---- before a match ----

/** A table at which there is no match. */
const EMPTY = ['<section id="felt" class="felt"></section>', '<section id="desk" class="desk empty"></section>', '<ol id="log" class="log"></ol>', '<div id="leave"></div>'];

/** Nothing is kept of this game: the form. */
function fresh({ lasts }) {
  waiting = [];
  // Nothing of an old match stays behind.
  table?.heard(JSON.stringify({ parts: { parts: EMPTY, drafts: 0, asked: false } }));
  seat.hidden = true;
  root.hidden = false;
  document.body.className = "plain";
  part("failed").hidden = true;
  part("new").hidden = false;
  part("new").dataset.ready = "";
  root.querySelector(".brief").hidden = lasts;
}

part("new").addEventListener("submit", (event) => {
  event.preventDefault();
  code = null;
  post("play", { wish: { fields: [...new FormData(event.target)], name, avatar: Number(avatar), lang } });
});

/** The form again, with what is wrong. */
function correct(html) {
  const next = new DOMParser().parseFromString(html, "text/html").querySelector("form");
  part("new").querySelector("form").replaceWith(next);
  next.querySelector(".wrong")?.scrollIntoView({ block: "center" });
}

const TROUBLES = {
  other_rules: () => say("This match was started with the rules of another version.", "Diese Partie wurde nach den Regeln einer anderen Version begonnen."),
  damaged: () => say("What this browser has kept of the match is damaged.", "Was dieser Browser von der Partie aufbewahrt hat, ist beschädigt."),
  module: () => say("This browser cannot run the program for this page. It needs WebAssembly.", "Dieser Browser kann das Programm dieser Seite nicht ausführen. Er braucht WebAssembly."),
  other_tab: () => say("This match is open in another tab of this browser, which plays on. Close one of the two, and reload the other.", "Diese Partie ist in einem anderen Tab dieses Browsers offen, der weiterspielt. Schließ einen von beiden und lade den anderen neu."),
  no_room: () => say("This browser has no storage left. Free some space and reload the page.", "Dieser Browser kann nichts mehr speichern. Schaff Platz und lade die Seite neu."),
  other: () => say("Something unexpected happened. Reload the page to go on where you were.", "Etwas Unerwartetes ist passiert. Lade die Seite neu, dann geht es weiter."),
};

function fail(why) {
  if (/ConstraintError|already exists/.test(why)) code = "other_tab";
  else if (/QuotaExceeded|not stored/.test(why)) code = "no_room";
  else if (/WebAssembly|CompileError/.test(why)) code = "module";
  const known = code in TROUBLES ? code : "other", box = part("failed");
  box.querySelector(".what").textContent = TROUBLES[known]();
  box.querySelector(".detail").textContent = known === "other" ? why : "";
  // Only what cannot be continued is thrown away.
  box.querySelector("[data-forget]").hidden = !["damaged", "other_rules"].includes(known);
  box.hidden = false;
  if (!seat.hidden) {
    const alarm = document.getElementById("alarm");
    alarm.textContent = TROUBLES[known]();
    alarm.hidden = false;
    alarm.scrollIntoView({ block: "nearest" });
  }
}
part("failed").querySelector("[data-reload]").addEventListener("click", () => location.reload());
part("failed").querySelector("[data-forget]").addEventListener("click", () => post("end"));

// ---- the match ----

function begin(id) {
  main.dataset.table = id;
  root.hidden = true;
  seat.hidden = false;
  document.body.className = "table";
  scrollTo(0, 0);
  // A script that runs already begins with the new match as after a lost connection.
  table?.opening();
  want({ draw: lang });
}

/** What the table of a house talks to, here the worker: see line.js. */
export function line(_, { opening, heard }) {
  opening();
  // What came before the table was ready to hear it is told once its script has run.
  setTimeout(() => {
    table = { opening, heard };
    waiting.splice(0).forEach(heard);
  });
  return { send: (text) => (want({ page: text }), true) };
}

/** What the page of a house table does for "Verify". */
export async function report(dialog) {
  const close = make("button", { type: "button", className: "main", textContent: say("Close", "Schließen"), onclick: () => dialog.close() });
  dialog.replaceChildren(
    make("h2", { textContent: say("Who dealt", "Wer gegeben hat") }),
    make("p", { textContent: say("Your own device: it shuffles with random numbers of this browser, and no server takes part. The computers are shown their own cards and what lies open, like you.", "Dein eigenes Gerät: Es mischt mit Zufallszahlen dieses Browsers, und kein Server ist beteiligt. Die Computer sehen ihre eigenen Karten und was offen liegt, so wie du.") }),
    close,
  );
  dialog.showModal();
}

document.addEventListener("submit", (event) => {
  if (event.target.getAttribute("action") !== "#again") return;
  event.preventDefault();
  post("again");
});

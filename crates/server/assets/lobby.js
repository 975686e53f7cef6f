// Keeps the list of tables fresh while somebody looks at it, and shows times as his clock has them.
import { morph, parse } from "./morph.js";

const EVERY = 4000;
const list = document.getElementById("tables");

function localise(root) {
  const form = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  for (const time of root.querySelectorAll("time[datetime]")) {
    const when = new Date(time.dateTime);
    if (!Number.isNaN(when.getTime())) time.textContent = form.format(when);
  }
}

async function renew() {
  try {
    const answer = await fetch("/lobby/tables", { credentials: "same-origin" });
    if (!answer.ok) return;
    const next = parse(await answer.text());
    if (next && next.id === list.id) morph(list, next);
  } catch {
    // The server is away; the next time it may be back.
  }
}

let timer = 0;
function watch() {
  clearInterval(timer);
  if (document.visibilityState !== "visible") return;
  timer = setInterval(renew, EVERY);
}

localise(document);
if (list) {
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") renew();
    watch();
  });
  watch();
}

// Steps through a match without loading the whole page each time. Without this the links do the same.
import { morph } from "./morph.js";

const PARTS = ["table", "side"];
let wanted = null;

async function go(address) {
  wanted = address;
  try {
    const answer = await fetch(address, { credentials: "same-origin" });
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    // If a key is held down, only the last step counts.
    if (wanted !== address) return;
    for (const id of PARTS) morph(document.getElementById(id), page.getElementById(id));
    history.replaceState(null, "", address);
    const log = document.getElementById("log");
    if (log) log.scrollTop = log.scrollHeight;
  } catch {
    location.assign(address);
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("#reel a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  go(link.href);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, .log")) return;
  const link = document.querySelector(`#reel a[data-key="${CSS.escape(event.key)}"]`);
  if (!link) return;
  event.preventDefault();
  go(link.href);
});

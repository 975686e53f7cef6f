// When cards of several streets are opened at once, as when everybody is all-in, they are shown street by street before
// the result, and each street's line of the log with them.
import { parse } from "./morph.js";
import { glide, places } from "./motion.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Shows the streets of the next board one after another; does nothing if there is only one. */
export async function runOut(parts) {
  const now = document.querySelector("#felt .board[data-streets]");
  const text = now && parts.find((part) => part.includes("data-streets"));
  if (!text || still.matches || document.hidden) return;
  const felt = parse(text), board = felt.querySelector(".board[data-streets]");
  const cards = (of) => of.querySelectorAll(".card[data-slot]").length;
  const names = board.dataset.names.split(" "), ends = board.dataset.streets.split(" ").map((end, n) => ({ end: Number(end), name: names[n] }));
  const streets = ends.filter(({ end }) => end > cards(now) && end <= cards(board));
  const beat = Number(felt.dataset.beat);
  if (streets.length < 2 || !beat) return;
  const told = unread(parts);
  for (const { end, name } of streets) {
    const before = places();
    for (let place = 0; place < end; place += 1) {
      if (!now.children[place].dataset.slot) now.children[place].replaceWith(board.children[place].cloneNode(true));
    }
    read(told, name);
    glide(before);
    await new Promise((resolve) => setTimeout(resolve, beat));
  }
}

/** The lines of the log that are not shown yet. */
function unread(parts) {
  const text = parts.find((part) => part.includes('id="log"'));
  return text ? [...parse(text).children].filter(({ id }) => !document.getElementById(id)) : [];
}

/** Shows the lines of the log up to the one about this street. */
function read(told, name) {
  const log = document.getElementById("log"), at = told.findIndex((line) => line.textContent.startsWith(`${name}:`));
  if (!log || at < 0) return;
  log.append(...told.splice(0, at + 1));
  log.scrollTop = log.scrollHeight;
}

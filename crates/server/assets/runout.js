// When cards of several streets are opened at once, as when everybody is all-in, they are shown street by street before
// the result.
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
  const streets = board.dataset.streets.split(" ").map(Number).filter((end) => end > cards(now) && end <= cards(board));
  const beat = Number(felt.dataset.beat);
  if (streets.length < 2 || !beat) return;
  for (const end of streets) {
    const before = places();
    for (let place = 0; place < end; place += 1) {
      if (!now.children[place].dataset.slot) now.children[place].replaceWith(board.children[place].cloneNode(true));
    }
    glide(before);
    await new Promise((resolve) => setTimeout(resolve, beat));
  }
}

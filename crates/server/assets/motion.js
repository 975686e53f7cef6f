// Moving cards: the place of each card is noted before a change, and the card glides from there to its new place.

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** The current place of every card. */
export function places() {
  const all = new Map();
  for (const card of document.querySelectorAll(".card[data-slot]")) all.set(card.dataset.slot, card.getBoundingClientRect());
  return all;
}

/** Lets cards glide from their old places; new ones come from the top of the table. */
export function glide(before) {
  if (still.matches || document.hidden) return 0;
  const middle = document.getElementById("middle");
  const source = middle ? middle.getBoundingClientRect() : null;
  let moved = 0;
  for (const card of document.querySelectorAll(".card[data-slot]")) {
    const was = before.get(card.dataset.slot);
    const is = card.getBoundingClientRect();
    if (!is.width) continue;
    if (was && was.width) {
      const x = was.left - is.left, y = was.top - is.top;
      if (Math.abs(x) + Math.abs(y) < 3) continue;
      card.animate([{ transform: `translate(${x}px, ${y}px) scale(${was.width / is.width})`, zIndex: 2 }, { transform: "none", zIndex: 2 }],
        { duration: 260, easing: "cubic-bezier(.2,.7,.2,1)" });
    } else if (source) {
      const x = source.left + source.width / 2 - is.left - is.width / 2, y = source.top - is.top;
      card.animate([{ transform: `translate(${x}px, ${y}px) rotate(12deg) scale(.6)`, opacity: 0 }, { transform: "none", opacity: 1 }],
        { duration: 300, delay: Math.min(moved, 12) * 45, easing: "cubic-bezier(.2,.7,.2,1)", fill: "backwards" });
    }
    moved += 1;
  }
  return moved;
}

// Asks how many chips somebody wants to sit down with.
import { say } from "./say.js";

const grouped = (number) => Number(number).toLocaleString(document.documentElement.lang);

export class Seating {
  #dialog;
  #table = null;

  constructor(dialog, { want, toast }) {
    this.#dialog = dialog;
    this.toast = toast;
    dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
    dialog.querySelector("form").addEventListener("submit", (event) => {
      const chips = Number(event.target.elements.chips.value);
      if (Number.isSafeInteger(chips)) want({ sit: { table: this.#table, chips } });
    });
  }

  /** A button says what the table allows, and how much there is. */
  ask({ dataset: { sit, least, most, bond, blind, seconds, why } }) {
    // Without enough coins there is nothing to choose.
    if (why) return this.toast(why);
    const dialog = this.#dialog, field = dialog.querySelector("#chips");
    this.#table = Number(sit);
    [field.min, field.max, field.value] = [least, most, most];
    dialog.querySelector(".range").textContent = `${grouped(least)}–${grouped(most)}`;
    dialog.querySelector(".terms").textContent = say(
      `Besides, you deposit a bond of ${bond}, and get it back with your chips when you leave. You have ${seconds} seconds for a move; being late costs ${blind} of the bond.`,
      `Dazu hinterlegst du ein Pfand von ${bond} und bekommst es mit deinen Chips zurück, wenn du gehst. Für einen Zug hast du ${seconds} Sekunden; zu spät zu sein kostet ${blind} vom Pfand.`,
    );
    dialog.showModal();
    field.select();
  }
}

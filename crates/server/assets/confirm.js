// Asks before something that cannot be undone. The dialog is outside the parts that the server updates, so an update does
// not wipe it; if an update makes the question pointless, the dialog closes.
import { say } from "./say.js";

const dialog = Object.assign(document.createElement("dialog"), { id: "confirm" });
const text = Object.assign(document.createElement("p"), { id: "question" });
const row = Object.assign(document.createElement("p"), { className: "choose" });
const yes = Object.assign(document.createElement("button"), { type: "button", className: "grave" });
const no = Object.assign(document.createElement("button"), { type: "button", className: "main", autofocus: true });
let still = null;

dialog.setAttribute("aria-labelledby", text.id);
no.textContent = say("Go back", "Zurück");
row.append(no, " ", yes);
dialog.append(text, row);
document.body.append(dialog);
no.onclick = () => dialog.close("no");
yes.onclick = () => dialog.close(still?.() ? "yes" : "no");

/** Asks, and resolves to the answer. `holds` returns whether the question still makes sense. */
export function confirm({ question, yes: label, holds }) {
  text.textContent = question;
  yes.textContent = label;
  still = holds;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

/** The page has changed. */
export function recheck() {
  if (dialog.open && !still()) dialog.close("no");
}

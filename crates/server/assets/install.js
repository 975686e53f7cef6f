// Keeps the pages for one person in this browser, so that they open without a network, and offers to install them. Browsers
// allow that over https and on the machine of the server itself; elsewhere the page says so.
import { say } from "./say.js";

const box = document.getElementById("install"), text = box.querySelector("span"), button = box.querySelector("button");
let prompt = null;

function tell(english, german, kept) {
  text.textContent = say(english, german);
  box.dataset.kept = kept ? "yes" : "no";
  box.hidden = false;
}

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  prompt = event;
  button.hidden = false;
});
addEventListener("appinstalled", () => { button.hidden = true; });
button.addEventListener("click", () => {
  button.hidden = true;
  prompt?.prompt();
});

if (!isSecureContext) {
  tell(
    "Cannot be installed here: browsers allow that only over https, or on the server's own machine. You can play as long as this page is open.",
    "Kann hier nicht installiert werden: Browser erlauben das nur über https oder auf dem Rechner des Servers selbst. Du kannst spielen, solange diese Seite offen ist.",
    false,
  );
} else if (!navigator.serviceWorker) {
  tell("This browser does not let pages stay without a network. You can play as long as this page is open.", "Dieser Browser behält keine Seiten für die Zeit ohne Netz. Du kannst spielen, solange diese Seite offen ist.", false);
} else {
  try {
    await navigator.serviceWorker.register("/solo/offline.js", { scope: "/solo", updateViaCache: "none" });
    await navigator.serviceWorker.ready;
    tell("Kept in this browser: it opens and plays without a network, too.", "In diesem Browser gespeichert: öffnet und spielt auch ohne Netz.", true);
  } catch {
    // Without the server, what was kept before is still there.
    if (navigator.serviceWorker.controller) tell("Kept in this browser: it opens and plays without a network, too.", "In diesem Browser gespeichert: öffnet und spielt auch ohne Netz.", true);
    else tell("This browser could not keep the page. You can play as long as it is open.", "Dieser Browser konnte die Seite nicht speichern. Du kannst spielen, solange sie offen ist.", false);
  }
}

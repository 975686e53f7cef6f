// Announces a turn in a background tab: in the title, by a sound, and by a notification if the player wants it.
import { say } from "./say.js";

const NAME = "notify";
const title = document.title;
let shown = null;

/** Announces whether it is the player's turn; `begins` if it has just begun. */
export function tell(asked, begins) {
  const turn = `● ${say("Your turn", "Du bist dran")} – ${title}`;
  document.title = asked ? turn : title;
  if (!asked) hide();
  if (begins && document.hidden && wanted()) notify(turn);
}

function notify(turn) {
  hide();
  try {
    // The page has its own sound.
    shown = new Notification(turn, { tag: location.pathname, silent: true });
    shown.onclick = () => { focus(); hide(); };
  } catch { /* Some phones let only installed programs notify. The title and the sound are left. */ }
}

function hide() {
  shown?.close();
  shown = null;
}

document.addEventListener("visibilitychange", () => { if (!document.hidden) hide(); });

// ---- whether it is wanted ----

const possible = "Notification" in globalThis && isSecureContext;
const wanted = () => possible && Notification.permission === "granted" && chosen() === "yes";
const button = Object.assign(document.createElement("button"), { type: "button", id: "notify", className: "quiet" });

function chosen() {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}

function label() {
  button.setAttribute("aria-pressed", wanted());
  button.textContent = possible && Notification.permission === "denied"
    ? say("Your browser blocks notifications from this site", "Dein Browser blockiert Mitteilungen dieser Seite")
    : wanted() ? say("You are notified when it's your turn", "Du wirst benachrichtigt, wenn du dran bist")
      : say("Notify me when it's my turn", "Benachrichtige mich, wenn ich dran bin");
}

// The browser asks for permission only when this is pressed.
button.onclick = async () => {
  const on = !wanted();
  if (on && Notification.permission === "default") await Notification.requestPermission();
  try {
    localStorage.setItem(NAME, on ? "yes" : "no");
  } catch { /* Then there are no notifications. */ }
  label();
};

if (possible) {
  label();
  document.querySelector("#leave, #notified").before(button);
}

// The connection to the server. A banner announces its loss at once, counts down to the next attempt, and announces its
// return.
import { say } from "./say.js";

const SHORTEST = 500, LONGEST = 8000, SHOWN = 3000;

/**
 * Opens a socket, and another whenever it is lost. `opening` is called before each, `heard` with every message, `closed`
 * when it is lost. `send` returns whether it was sent. Messages before the first connection wait for it, because the page
 * is up to date then; after a break the table may have moved on, so nothing is sent later.
 */
export function line(path, { opening, heard, closed }) {
  const address = new URL(path, location.href), banner = Banner(() => retry());
  address.protocol = address.protocol.replace("http", "ws");
  let socket = null, pause = SHORTEST, met = false, next = 0;

  function connect() {
    const opened = new WebSocket(address);
    socket = opened;
    opening();
    opened.onopen = () => {
      if (met || pause > SHORTEST) banner.back();
      pause = SHORTEST;
      met = true;
    };
    opened.onmessage = ({ data }) => heard(data);
    opened.onclose = lose;
  }

  function lose() {
    closed();
    banner.lost(pause);
    clearTimeout(next);
    next = setTimeout(retry, pause);
    pause = Math.min(pause * 2, LONGEST);
  }

  function retry() {
    clearTimeout(next);
    if (socket.readyState <= WebSocket.OPEN) return;
    banner.trying();
    connect();
  }

  // A socket takes minutes to notice that the network is gone; the browser knows at once.
  addEventListener("offline", () => {
    if (socket.readyState > WebSocket.OPEN) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    lose();
  });
  addEventListener("online", retry);
  connect();

  return {
    send(text) {
      if (!met && socket.readyState === WebSocket.CONNECTING) {
        const first = socket;
        first.addEventListener("open", () => first.send(text), { once: true });
        return true;
      }
      const open = socket.readyState === WebSocket.OPEN;
      if (open) socket.send(text);
      return open;
    },
  };
}

/** The banner, on top of everything. */
function Banner(retry) {
  const box = Object.assign(document.createElement("div"), { id: "line", hidden: true });
  const text = document.createElement("span"), time = document.createElement("span");
  const now = Object.assign(document.createElement("button"), { type: "button", textContent: say("Try now", "Jetzt versuchen"), onclick: retry });
  // Screen readers announce the state once; the seconds would be announced again and again.
  text.setAttribute("role", "status");
  time.setAttribute("aria-hidden", "true");
  box.append(text, " ", time, " ", now);
  document.body.prepend(box);
  let ticking = 0;

  function show(what, when, offline) {
    clearTimeout(ticking);
    if (text.textContent !== what) text.textContent = what;
    time.textContent = when;
    box.hidden = false;
    now.hidden = !offline;
    document.body.classList.toggle("offline", offline);
  }

  function count(until) {
    const left = Math.ceil((until - performance.now()) / 1000);
    if (left < 1) return;
    time.textContent = say(`Trying again in ${left} s`, `Neuer Versuch in ${left} s`);
    ticking = setTimeout(() => count(until), 250);
  }

  const lost = say("Connection lost.", "Verbindung verloren.");
  return {
    lost(pause) {
      show(lost, "", true);
      count(performance.now() + pause);
    },
    trying: () => show(lost, say("Trying again …", "Neuer Versuch …"), true),
    back() {
      show(say("Connected again.", "Wieder verbunden."), "", false);
      ticking = setTimeout(() => { box.hidden = true; }, SHOWN);
    },
  };
}

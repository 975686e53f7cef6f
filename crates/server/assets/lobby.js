// Keeps the list of tables up to date while it is visible, and shows times in the viewer's time zone.
import { morph, parse } from "./morph.js";

const LONGEST_PAUSE = 8000;
const list = document.getElementById("tables");
let socket = null, pause = 500;

function localise(root) {
  const form = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  for (const time of root.querySelectorAll("time[datetime]")) {
    const when = new Date(time.dateTime);
    if (!Number.isNaN(when.getTime())) time.textContent = form.format(when);
  }
}

/** Receives updates only while the page is visible. */
function watch() {
  if (document.visibilityState !== "visible" || socket) return;
  const address = new URL(list.dataset.socket, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const opened = new WebSocket(address);
  socket = opened;
  opened.onopen = () => { pause = 500; };
  opened.onmessage = ({ data }) => {
    const next = parse(data);
    if (next?.id === list.id) morph(list, next);
  };
  opened.onclose = () => {
    if (socket !== opened) return;
    socket = null;
    setTimeout(watch, pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  };
}

localise(document);
if (list) {
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") return watch();
    const old = socket;
    socket = null;
    old?.close();
  });
  watch();
}

// Keeps the tables of a chain up to date, and tells when one of them waits for the visitor.
import { tell } from "./alerts.js";
import { morph, parse } from "./morph.js";
import { ownStorage, put } from "./storage.js";

const NAME = "chain-address";
const LONGEST_PAUSE = 8000;
const list = document.getElementById("chain"), input = document.getElementById("address");
const storage = ownStorage();
let pause = 500, turns = [];

// An address in the page's own address counts, if the server has taken it; otherwise the one that was remembered.
if (!input.value) input.value = storage.getItem(NAME) ?? "";
else if (!input.hasAttribute("aria-invalid")) put(storage, NAME, input.value);
document.getElementById("alert").addEventListener("submit", () => {
  if (!input.value.trim()) storage.removeItem(NAME);
});

/** Listens also while the page is hidden: that is when somebody wants to be told. */
function watch() {
  const address = new URL(list.dataset.socket, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  address.searchParams.set("address", input.value.trim());
  const socket = new WebSocket(address);
  socket.onopen = () => { pause = 500; };
  socket.onmessage = ({ data }) => {
    const told = JSON.parse(data), next = parse(told.list);
    if (next?.id === list.id) morph(list, next);
    tell(told.turns.length > 0, told.turns.some((turn) => !turns.includes(turn)));
    turns = told.turns;
  };
  socket.onclose = () => {
    setTimeout(watch, pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  };
}

watch();

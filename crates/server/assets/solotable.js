// The worker of a table for one person: runs the module, which is the whole house, and keeps the match in this browser. One
// match of each game is kept, until another one begins.
import { load, Seat } from "./seat.js";
import { openVault } from "./vault.js";

const vault = openVault("fairdeal-solo");
const module = load(await fetch(new URL("./solo.wasm", import.meta.url)));
let game = null, seat = null, wish = null;

const key = () => `match ${game}`;
const post = (message) => postMessage(message);
const fresh = async () => post({ stranger: { lasts: (await vault).lasts } });

/** A seat at the table with this id; `stored` is called when something has been stored. */
const sit = async (id, stored = () => {}) => {
  const store = await vault;
  return new Seat(await module, {
    store: async (effects) => {
      await store.write(id, effects);
      await stored();
    },
    tell: (told) => post({ told, id }),
    fail: (why) => post({ failed: why }),
  });
};

const handle = {
  /** Somebody is at the page of a game: the match that is kept goes on. */
  async arrive({ game: which }) {
    game = which;
    const store = await vault, kept = await store.key(key()), stored = kept && (await store.table(kept.id));
    if (!stored) return fresh();
    wish = kept.wish;
    seat = await sit(kept.id);
    seat.resume(stored);
  },
  /** They want to play. The match before is forgotten once the new one is stored. */
  async play({ wish: wanted }) {
    await seat?.leave();
    const store = await vault, before = await store.key(key());
    const id = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    let begins = true;
    seat = await sit(id, async () => {
      if (!begins) return;
      begins = false;
      wish = wanted;
      await store.setKey(key(), { id, wish });
      if (before) await store.forget?.(before.id);
    });
    seat.come(wanted);
  },
  /** The same once more. */
  again: () => handle.play({ wish }),
  /** They give it up. */
  async end() {
    await seat?.leave();
    seat = null;
    const store = await vault, kept = await store.key(key());
    await store.setKey(key(), undefined);
    if (kept) await store.forget?.(kept.id);
    await fresh();
  },
  want: ({ want }) => seat?.want(want),
};

addEventListener("message", async ({ data }) => {
  try {
    await handle[data.kind](data);
  } catch (error) {
    post({ failed: String(error?.name === "Error" ? error.message : error) });
  }
});
post({ ready: true });

// The worker of chain tables: runs the module for them, talks to nodes, keeps the keys. The page only shows what it is told.
//
// This is the one script that may talk to other servers than its own, because nodes are elsewhere. The page itself may not.
import { toNode } from "./nodes.js";
import { answer, load, Seat } from "./seat.js";
import { openVault } from "./vault.js";

const vault = openVault();
const module = load(await fetch(new URL("./wallet.wasm", import.meta.url)));
const encoder = new TextEncoder();
let seat = null;

const post = (message) => postMessage(message);
const place = (address) => `wallet ${address}`;
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const handle = {
  /** Somebody is here: with the wallet that they had last, if they had one. */
  async open() {
    const store = await vault, address = await store.key("wallet"), kept = address && (await store.table(place(address)));
    if (!kept) return post({ stranger: { lasts: store.lasts } });
    seat = new Seat(await module, {
      open: toNode,
      store: (effects) => store.write(place(address), effects),
      tell: (told) => post({ told }),
      fail: (why) => post({ failed: why }),
    });
    seat.resume(kept);
    post({ opened: { address, node: await store.key("node") } });
  },
  want: ({ want }) => seat?.want(want),
};

/** What the page asks, and is answered. */
const answers = {
  /** Another wallet: one with this key, or a new one. Wallets from before stay. */
  async become({ key }) {
    const store = await vault, secret = key ?? hex(crypto.getRandomValues(new Uint8Array(32)));
    const { address } = answer(await module, { whose: secret });
    if (!(await store.table(place(address)))) {
      const made = (await module).call("new", encoder.encode(JSON.stringify({ key: secret })));
      const kept = made.filter(({ kind }) => kind === "keep" || kind === "secret");
      await store.write(place(address), kept);
    }
    await store.setKey("wallet", address);
    return address;
  },
  /** The key, because the person asks for it. */
  secret: async () => answer(await module, "key").key,
  /** The node that they use. */
  node: async ({ node }) => void (await (await vault).setKey("node", node)),
};

addEventListener("message", async ({ data }) => {
  const why = (error) => String(error?.name === "Error" ? error.message : error);
  try {
    if (data.number === undefined) await handle[data.kind](data);
    else post({ answered: data.number, value: await answers[data.kind](data) });
  } catch (error) {
    post(data.number === undefined ? { failed: why(error) } : { answered: data.number, error: why(error) });
  }
});
// The browser knows at once that the network is gone.
addEventListener("offline", () => seat?.cut());
post({ ready: true });

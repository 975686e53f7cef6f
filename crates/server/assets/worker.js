// The worker of a private table: runs the module, talks to the hub, keeps what has to be kept. The page only shows what it is
// told, so it never freezes while cards are shuffled.
import { answer, load, Seat } from "./seat.js";
import { openVault } from "./vault.js";

const vault = openVault();
/** The bytes of the module for a game. */
async function fetched(game) {
  const response = await fetch(new URL(`./private-${game}.wasm`, import.meta.url));
  if (!response.ok) throw new Error(`private-${game}.wasm: ${response.status}`);
  return response;
}

/** The module for the game of this table, which is the name of this worker. */
let module = load(await fetched(self.name));
let table = null, seat = null;
/** A module that checks a record of another game. */
let other = {};

const post = (message) => postMessage(message);

const handle = {
  /** Somebody is at a table: they come back if they were there before. */
  async arrive({ table: id }) {
    table = id;
    const kept = await (await vault).table(id);
    const offer = await (await vault).key(`offer ${id}`), name = await (await vault).key("name");
    if (!kept) return post({ stranger: { name, offer, lasts: (await vault).lasts } });
    seat = await sit();
    seat.resume(kept);
  },
  /** They come for the first time. */
  async come({ ticket, name, watch }) {
    const identity = watch ? null : await own();
    if (name) await (await vault).setKey("name", name);
    const offer = watch ? undefined : await (await vault).key(`offer ${table}`);
    seat = await sit();
    seat.come({ ticket, name, identity, offer });
  },
  /** They have no ticket. */
  async knock({ at, table: id, name }) {
    table = id;
    await (await vault).setKey("name", name);
    await seat?.leave();
    seat = await sit();
    seat.knock({ at, table: id, name });
  },
  /** A new table: its ticket, once a hub has it. The hub does not get the key. */
  async create({ at, game, seats, title, name, settings, listed }) {
    const made = answer(await module, "table");
    const body = JSON.stringify({ table: made.table, access: made.access, game, seats, name: title, listed, knock: true });
    const response = await fetch("/api/v1/private", { method: "POST", headers: { "content-type": "application/json" }, body });
    const said = await response.json();
    if (!response.ok) throw new Error(said.message ?? response.statusText);
    const { ticket } = answer(await module, { ticket: { at, key: made.key, hub: said.hub } });
    await (await vault).setKey(`offer ${made.table}`, { game, seats, settings });
    await (await vault).setKey("name", name);
    post({ created: ticket });
  },
  want: ({ want }) => seat?.want(want),
};

/** What the page asks, and is answered. */
const answers = {
  /** A question for the module, or for that of another `game`. */
  async module({ ask, game }) {
    if (!game) return answer(await module, ask);
    if (other.game !== game) other = { game, module: await load(await fetched(game)) };
    return answer(other.module, ask);
  },
  name: async () => (await vault).key("name"),
  /** What a person says about something, for all tables. */
  remembered: async ({ name }) => (await vault).key(`said ${name}`),
  remember: async ({ name, value }) => void (await (await vault).setKey(`said ${name}`, value)),
  /** Who this browser is, without the secret. */
  async who() {
    const { nsec, ...shown } = answer(await module, { who: await own() });
    return shown;
  },
  /** The secret, because the person asks for it. */
  secret: () => own(),
  /** Another identity. */
  async become({ key }) {
    const { nsec, ...shown } = answer(await module, { who: key });
    await (await vault).setKey("identity", nsec);
    return shown;
  },
};

/** This browser's identity. */
async function own() {
  const kept = await (await vault).key("identity");
  if (kept) return kept;
  const { nsec } = answer(await module, "identity");
  await (await vault).setKey("identity", nsec);
  return nsec;
}

const sit = async () => {
  const store = await vault, id = table;
  let wanted = null;
  return new Seat(await module, {
    store: (effects) => store.write(id, effects),
    tell(told) {
      if (told.trouble === "other_game") wanted = told.game;
      else post({ told });
    },
    fail: (why) => (wanted ? change(wanted) : post({ failed: why })),
  });
};

/** The host plays something else than they told the server: goes on with that game's module, from what is stored. */
async function change(game) {
  try {
    module = load(await fetched(game));
    seat = await sit();
    seat.resume(await (await vault).table(table));
  } catch (error) {
    post({ failed: String(error) });
  }
}

addEventListener("message", async ({ data }) => {
  const why = (error) => String(error?.name === "Error" ? error.message : error);
  if (data.number !== undefined) {
    try {
      post({ answered: data.number, value: await answers[data.kind](data) });
    } catch (error) {
      post({ answered: data.number, error: why(error) });
    }
    return;
  }
  try {
    await handle[data.kind](data);
  } catch (error) {
    post({ failed: why(error) });
  }
});
post({ ready: true });

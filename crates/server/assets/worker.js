// The worker of a private table: runs the module, talks to the hub, keeps what has to be kept. The page only shows what it is
// told, so it never freezes while cards are shuffled.
import { answer, load, Seat } from "./seat.js";
import { offer as offerAt, openVault } from "./vault.js";

const vault = openVault();
/** The bytes of the module for a game. */
async function fetched(game) {
  const response = await fetch(new URL(`./private-${game}.wasm`, import.meta.url));
  if (!response.ok) throw new Error(`private-${game}.wasm: ${response.status}`);
  return response;
}

/** The game of this table: the name of this worker, unless the host plays something else. */
let game = self.name;
/** Its module. */
let module = load(await fetched(game));
let table = null, seat = null;
/** Whether somebody is sitting down: a second press of the button is not a second seat. */
let coming = false;
/** How often another tab was in the way. */
let pushed = 0;
/** A module that checks a record of another game. */
let other = {};
/** The logs of so many finished tables are kept, the last ones; all of them would fill the browser some day. */
const FINISHED = 10;

const post = (message) => postMessage(message);

const handle = {
  /** Somebody is at a table: they come back if they were there before. */
  async arrive({ table: id }) {
    table = id;
    const kept = await (await vault).table(id);
    const offer = await (await vault).key(offerAt(id)), name = await (await vault).key("name");
    if (!kept) return post({ stranger: { name, offer, lasts: (await vault).lasts } });
    // They may have come without the key: by the list of tables, or with a code.
    post({ ticket: about(kept.keep).ticket });
    seat = await sit();
    seat.resume(kept);
    await tidy();
  },
  /** They come for the first time. */
  async come({ ticket, name, watch }) {
    if (coming) return;
    coming = true;
    try {
      const identity = watch ? null : await own();
      if (name) await (await vault).setKey("name", name);
      const offer = watch ? undefined : await (await vault).key(offerAt(table));
      seat = await sit();
      seat.come({ ticket, name, identity, offer });
    } catch (why) {
      coming = false;
      throw why;
    }
    await tidy();
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
    await (await vault).setKey(offerAt(made.table), { game, seats, settings });
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
  return (await vault).keyOr("identity", answer(await module, "identity").nsec);
}

/** What the module keeps about a table is its own business, but for the way there and whether all is over. */
const about = (keep) => JSON.parse(keep);

/** Forgets finished tables, all but the last. */
async function tidy() {
  const store = await vault, all = await store.tables();
  const over = all.filter(({ table: id, keep }) => id !== table && keep && about(keep).over).sort((one, next) => next.at - one.at);
  for (const { table: id } of over.slice(FINISHED)) await store.forget(id);
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
    fail(why) {
      coming = false;
      // The hub lets the tab play that came last. This one goes on from what the other has stored.
      if (wanted) change(wanted);
      else if (why.includes("ConstraintError") && pushed++ < 3) change(game);
      else post({ failed: why });
    },
  });
};

/** Goes on from what is stored: with another game's module, if the host plays something else than they told the server. */
async function change(to) {
  try {
    game = to;
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
// The browser knows at once that the network is gone.
addEventListener("offline", () => seat?.cut());
post({ ready: true });

// A seat at a private table: the module that decides everything, and what carries out its effects. The same in a worker of
// the page and in tests. The module imports nothing; it is told what happens, and says what to store, send and show.
//
// Whatever is said is stored before. What has to be stored when a disk is ready for it is stored at once, however many calls it
// comes from: entries come faster than a disk can keep them one by one. If an effect fails, nothing more is done.

const EVENT = { new: 1, resume: 2, frame: 3, closed: 4, tick: 5, want: 6, ask: 7, knock: 20 };
const EFFECT = [, "keep", "log", "secret", "connect", "send", "tell", "erase", "wake", "failed"];
const HEADER = 8 + 8 + 32 + 1;

/** The longest frame: an exported hand of a chain, and what is around it. */
const LONGEST = 33 << 20;

const encoder = new TextEncoder(), decoder = new TextDecoder();

/** Compiles the module from its bytes, or from the response of a server. */
export async function load(source) {
  if (source instanceof Response) {
    // Without the right type a module cannot be compiled while it comes.
    const streams = source.headers.get("content-type") === "application/wasm";
    const made = streams ? WebAssembly.instantiateStreaming(source, {}) : source.arrayBuffer().then(instantiate);
    return new Module((await made).instance.exports);
  }
  return new Module((await instantiate(source)).instance.exports);
}

const instantiate = (bytes) => WebAssembly.instantiate(bytes, {});

/** The module: bytes in, effects out. `random` fills an array; `clock` and `now` are in milliseconds. */
class Module {
  constructor(exports) {
    this.exports = exports;
  }

  get memory() {
    return this.exports.memory.buffer.byteLength;
  }

  call(event, payload, { clock = Date.now, now = () => performance.now(), random = (a) => crypto.getRandomValues(a) } = {}) {
    const { memory, input, call, output } = this.exports;
    const length = HEADER + payload.length, at = input(length) >>> 0;
    const view = new DataView(memory.buffer, at, length), bytes = new Uint8Array(memory.buffer, at, length);
    view.setBigUint64(0, BigInt(Math.floor(clock())), true);
    view.setBigUint64(8, BigInt(Math.floor(now())), true);
    bytes.set(random(new Uint8Array(32)), 16);
    bytes[48] = EVENT[event];
    bytes.set(payload, HEADER);
    const made = call() >>> 0, from = output() >>> 0;
    // A copy: the next call uses the same memory.
    return effects(new Uint8Array(memory.buffer, from, made).slice());
  }
}

function effects(bytes) {
  const view = new DataView(bytes.buffer), found = [];
  for (let at = 0; at < bytes.length;) {
    const kind = EFFECT[bytes[at]], length = view.getUint32(at + 1, true), start = at + 5;
    const payload = bytes.subarray(start, start + length), text = () => decoder.decode(payload);
    at = start + length;
    switch (kind) {
      case "log":
        found.push({ kind, height: Number(view.getBigUint64(start, true)), entry: payload.subarray(8) });
        break;
      case "connect":
        found.push({ kind, pause: view.getUint32(start, true), address: decoder.decode(payload.subarray(4)) });
        break;
      case "wake":
        found.push({ kind, after: view.getUint32(start, true) });
        break;
      case "secret":
      case "send":
        found.push({ kind, bytes: payload });
        break;
      case "erase":
        found.push({ kind });
        break;
      default:
        found.push({ kind, text: text() });
    }
  }
  return found;
}

const STORED = new Set(["keep", "log", "secret", "erase"]);

/**
 * A seat. `store(effects)` keeps `keep`, `log`, `secret` and `erase` effects, all or none, and resolves once they are
 * safe; `tell(value)` shows something; `fail(text)` is told why it cannot go on. `open(address)` makes a WebSocket.
 */
export class Seat {
  #module;
  #rim;
  #socket = null;
  #timer = 0;
  #reopen = 0;
  #todo = [];
  #busy = false;
  #doing = Promise.resolve();
  #over = false;

  constructor(module, rim) {
    this.#module = module;
    this.#rim = { open: (address) => new WebSocket(address), ...rim };
  }

  /** Goes to a table for the first time. */
  come(wish) {
    this.#call("new", encoder.encode(JSON.stringify(wish)));
  }

  /** Comes back, with what was stored. */
  resume({ keep, secret = new Uint8Array(), log }) {
    const parts = [encoder.encode(keep), secret, ...log];
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
    const view = new DataView(bytes.buffer);
    let at = 0;
    for (const part of parts) {
      view.setUint32(at, part.length, true);
      bytes.set(part, at + 4);
      at += 4 + part.length;
    }
    this.#call("resume", bytes);
  }

  /** Knocks at a table, without a ticket. */
  knock(wish) {
    this.#call("knock", encoder.encode(JSON.stringify(wish)));
  }

  /** Says what the person wants. */
  want(wanted) {
    this.#call("want", encoder.encode(JSON.stringify(wanted)));
  }

  /** Asks something that changes nothing. */
  ask(question) {
    return answer(this.#module, question);
  }

  /** Ends the connection. Everything that was begun is stored. */
  async leave() {
    this.#stop();
    await this.#doing;
  }

  /** The network is gone, which a socket may notice only minutes later. */
  cut() {
    if (!this.#socket) return;
    this.#disconnect();
    this.#call("closed", encoder.encode("the network is gone"));
  }

  #call(event, payload) {
    if (this.#over) return;
    try {
      this.#todo.push(...this.#module.call(event, payload, this.#rim));
    } catch (why) {
      // A module that has stopped is not to look as if it were still there.
      return this.#fail(String(why));
    }
    // Those that come while something is stored wait for it.
    if (this.#todo.length && !this.#busy) this.#doing = this.#perform().catch((why) => this.#fail(String(why)));
  }

  async #perform() {
    this.#busy = true;
    while (this.#todo.length && !this.#over) {
      const failed = this.#todo.findIndex(({ kind }) => kind === "failed");
      const todo = this.#todo.splice(0, failed < 0 ? Infinity : failed + 1);
      const stored = todo.filter(({ kind }) => STORED.has(kind));
      if (stored.length) await this.#rim.store(stored);
      for (const effect of todo) if (!this.#over) this.#carryOut(effect);
    }
    this.#busy = false;
  }

  #carryOut(effect) {
    switch (effect.kind) {
      case "connect":
        this.#connect(effect);
        break;
      case "send":
        if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(effect.bytes);
        break;
      case "tell":
        this.#rim.tell(JSON.parse(effect.text));
        break;
      case "wake":
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#call("tick", new Uint8Array()), effect.after);
        break;
      case "failed":
        this.#fail(effect.text);
    }
  }

  #connect({ pause, address }) {
    this.#disconnect();
    this.#reopen = setTimeout(() => {
      const socket = this.#rim.open(address);
      this.#socket = socket;
      socket.binaryType = "arraybuffer";
      const mine = () => socket === this.#socket;
      socket.onmessage = ({ data }) => {
        if (!mine() || !(data instanceof ArrayBuffer)) return;
        // The memory of a module only grows, so nobody may fill it.
        if (data.byteLength > LONGEST) socket.close();
        else this.#call("frame", new Uint8Array(data));
      };
      socket.onclose = ({ reason }) => {
        if (!mine()) return;
        this.#socket = null;
        this.#call("closed", encoder.encode(reason || "the connection was lost"));
      };
      socket.onerror = () => {};
    }, pause);
  }

  #disconnect() {
    clearTimeout(this.#reopen);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #fail(why) {
    this.#stop();
    this.#rim.fail(why);
  }

  #stop() {
    this.#over = true;
    clearTimeout(this.#timer);
    this.#disconnect();
  }
}

/** Asks a module something that needs no table. */
export function answer(module, question) {
  for (const effect of module.call("ask", encoder.encode(JSON.stringify(question)))) {
    if (effect.kind === "tell") return JSON.parse(effect.text).answer;
    if (effect.kind === "failed") throw new Error(effect.text);
  }
  throw new Error("the module did not answer");
}

// SHA-256 (FIPS 180-4). Browsers have their own, but only on pages served over https or from this computer; a table in a
// home network is neither.

// The first 32 bits of the fractional parts of the cube roots (K) and square roots (START) of the first primes.
const PRIMES = firstPrimes(64);
const K = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const START = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

/** The hash of bytes, as 32 bytes. */
export function sha256(bytes) {
  const state = START.slice();
  const padded = pad(bytes);
  const view = new DataView(padded.buffer);
  const words = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    compress(state, words, view, at);
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => out.setUint32(4 * i, word));
  return new Uint8Array(out.buffer);
}

/** The hash of fields, each with its length as four bytes (lowest first) before it. */
export function hashFields(...fields) {
  return sha256(concat(...fields.flatMap((field) => [le(field.length, 4), field])));
}

/** Concatenates bytes. */
export function concat(...parts) {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A number as `bytes` bytes, lowest first. */
export function le(number, bytes) {
  let rest = BigInt(number);
  return Uint8Array.from({ length: bytes }, () => {
    const byte = Number(rest & 255n);
    rest >>= 8n;
    return byte;
  });
}

/** A text as bytes. */
export const text = (words) => new TextEncoder().encode(words);

function compress(state, words, view, at) {
  for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(at + 4 * i);
  for (let i = 16; i < 64; i += 1) {
    const [early, late] = [words[i - 15], words[i - 2]];
    const s0 = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const s1 = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[i] = words[i - 16] + s0 + words[i - 7] + s1;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + words[i]) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
}

/** The bytes, a one, zeros, and the number of bits, up to a whole number of blocks. */
function pad(bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  return padded;
}

const turn = (word, bits) => (word >>> bits) | (word << (32 - bits));

function fraction(number) {
  return Math.floor((number % 1) * 2 ** 32);
}

function firstPrimes(count) {
  const primes = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes;
}

// Two players make keys and shuffle 52 cards with mental-poker-toolkit, in one process and without any proofs: what it
// costs until the first card can be opened. Prints one JSON object; times are milliseconds.
import { performance } from 'node:perf_hooks';
import toolkit from 'mental-poker-toolkit';

const bits = Number(process.argv[2] ?? 128);
const cards = 52;
const deck = new toolkit.EncodedDeck(Array.from({ length: cards }, (_, card) => BigInt(card + 2)));
const begin = performance.now();
const alice = await toolkit.createPlayer({ cards, bits });
const once = alice.encryptAndShuffle(deck);
const bob = await toolkit.createPlayer({ cards, bits, publicKey: alice.publicKey });
const twice = bob.encryptAndShuffle(once);
const dealt = bob.decryptAndEncryptIndividually(alice.decryptAndEncryptIndividually(twice));
const opened = dealt.cards.map((card, at) => bob.getIndividualKey(at).decrypt(alice.getIndividualKey(at).decrypt(card)));
const ms = performance.now() - begin;
const all = new Set(opened.map(String));
if (all.size !== cards) throw new Error('the deck does not open to 52 cards');
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ bits, ms, cpu_ms: (user + system) / 1000 }));

// What a spectator was sent, compared with what was open to everybody at that time.

import assert from 'node:assert/strict';

const RANKS = { two: '2', three: '3', four: '4', five: '5', six: '6', seven: '7', eight: '8', nine: '9', ten: 'T', jack: 'J', queen: 'Q', king: 'K', ace: 'A' };
const SUITS = { clubs: 'C', diamonds: 'D', hearts: 'H', spades: 'S', '♣': 'C', '♦': 'D', '♥': 'H', '♠': 'S' };

/** Records everything that the pages of a context are sent from now on: response bodies and socket frames. */
export function listen({ context, page }) {
  const seen = [];
  context.on('response', (response) => {
    if (!/html|json/.test(response.headers()['content-type'] ?? '')) return;
    const one = { kind: 'answer', at: seen.length, text: null };
    seen.push(one);
    one.read = response.text().then((text) => (one.text = text), () => (one.text = ''));
  });
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => seen.push({ kind: 'frame', text: String(payload) })));
  return seen;
}

/** The cards open to everybody, by height: slots with their faces before the input at that height. */
function openBefore(record) {
  const inputs = record.trim().split('\n').map((line) => Object.values(JSON.parse(line))[0]).filter(({ height }) => height !== undefined);
  return (height) => Object.assign({}, ...inputs.filter((input) => input.height < height).map(({ open }) => open ?? {}));
}

/** The part of a text that names cards, without examples in the rules and without what a joker stands for. */
function told(text) {
  return text
    .replaceAll('\\"', '"')
    .replace(/<div class="rules">.*?<\/div>/s, '')
    .replace(/class="for" data-sign="[^"]*"/g, '')
    .replace(/joker \([^)]*\)/g, 'joker')
    .replace(/(=| up to )(10|[2-9JQKA])[♣♦♥♠]/g, '');
}

/** The cards that a text names, with or without a slot, visibly or for screen readers. */
function named(text) {
  const slots = [...text.matchAll(/data-slot="(\d+:\d+)"[^>]*aria-label="([^"]*)"/g)].map(([, slot, label]) => ({ slot, card: heard(label) }));
  const heardOnly = [...text.matchAll(/\b(\w+) of (clubs|diamonds|hearts|spades)\b/g)].map(([label]) => ({ card: heard(label) }));
  const printed = [...text.matchAll(/(10|[2-9JQKA])([♣♦♥♠])/g)].map(([, rank, suit]) => ({ card: (rank === '10' ? 'T' : rank) + SUITS[suit] }));
  return [...slots, ...heardOnly, ...printed].filter(({ card }) => card !== null);
}

/** A card by its spoken name; null if it is closed or only a number. */
function heard(label) {
  if (/joker/.test(label)) return 'JK';
  const [, rank, suit] = label.match(/(\w+) of (clubs|diamonds|hearts|spades)/) ?? [];
  return rank ? RANKS[rank] + SUITS[suit] : null;
}

/**
 * Fails if the spectator was sent a face before it was open: in a frame or a page, as a card or in a text.
 * Returns how many faces were seen.
 */
export async function sawNothingHidden(seen, record) {
  assert.ok(!record.includes('"private"'), 'the record of a spectator has no hands');
  await Promise.all(seen.map(({ read }) => read));
  const open = openBefore(record);
  let [faces, frames] = [0, 0];
  seen.forEach(({ kind, text }, at) => {
    // A page is no newer than the first frame after it.
    const next = seen.slice(at).find((one) => one.kind === 'frame' && JSON.parse(one.text).parts?.height !== undefined);
    if (kind === 'answer' && text.startsWith('{"fairdeal"')) return; // The record itself.
    const height = next ? JSON.parse(next.text).parts.height : 0;
    frames += kind === 'frame';
    const known = open(height);
    const cards = new Set(Object.values(known));
    for (const { slot, card } of named(told(text))) {
      faces += 1;
      if (slot) assert.equal(known[slot], card, `at height ${height} the spectator was sent ${card} in ${slot}`);
      else assert.ok(cards.has(card), `at height ${height} the spectator was told of ${card}: ${text}`);
    }
  });
  assert.ok(frames > 2, 'the spectator was sent something');
  return faces;
}

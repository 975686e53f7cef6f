// The game on boardgame.io: its own server with its own lobby, sockets and storage in memory.

import { createRequire } from 'node:module';
import { hands, playable, taker } from './game.mjs';

const { Server, Origins } = createRequire(import.meta.url)('boardgame.io/server');

const game = {
  name: 'tricks',
  disableUndo: true,
  setup: ({ random }) => ({ hands: hands(() => random.Number()), trick: [], taken: [0, 0] }),
  moves: {
    play: {
      // Cards are secret, so a move is not tried out by the client.
      client: false,
      move: ({ G, playerID, random, events }, card) => {
        const seat = Number(playerID);
        if (!playable(G.hands[seat], G.trick[0]?.card).includes(card)) return 'INVALID_MOVE';
        G.hands[seat].splice(G.hands[seat].indexOf(card), 1);
        if (G.trick.length === 2) G.trick = [];
        G.trick.push({ seat, card });
        if (G.trick.length < 2) {
          events.endTurn({ next: String(1 - seat) });
          return undefined;
        }
        const [first, second] = G.trick;
        const winner = taker(first.card, second.card) === 0 ? first.seat : second.seat;
        G.taken[winner] += 1;
        G.trick = [];
        if (G.hands[0].length === 0 && G.hands[1].length === 0) G.hands = hands(() => random.Number());
        events.endTurn({ next: String(winner) });
        return undefined;
      },
    },
  },
  playerView: ({ G, playerID }) => ({
    ...G,
    hands: G.hands.map((hand, seat) => (String(seat) === playerID ? hand : hand.length)),
  }),
};

const server = Server({ games: [game], origins: [Origins.LOCALHOST] });
const anywhere = { port: 0, host: '127.0.0.1' };
// With today's koa-compose the lobby answers only on a port of its own.
const { appServer, apiServer } = await server.run({ port: anywhere, lobbyConfig: { apiPort: anywhere } });
// Not SIGUSR2, which some servers take for the end.
process.on('SIGHUP', () => globalThis.gc?.());
process.stdout.write(`at 127.0.0.1:${appServer.address().port} 127.0.0.1:${apiServer.address().port}\n`);

// The game on Colyseus: state as a schema, hands in fields that only their owner's view has, sockets by ws.
//
// Patches are sent at once after every move. The timer that would send them is set to a second: at its usual 50 ms
// everybody would wait for it, and without any Colyseus ticks a clock per room sixty times a second.

import http from 'node:http';
import { Room, Server } from '@colyseus/core';
import { StateView } from '@colyseus/schema';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { hands, playable, taker } from './game.mjs';
import { Player, State } from './state.mjs';

class Table extends Room {
  maxClients = 2;
  patchRate = 1000;
  state = new State();
  messages = {
    play: (client, card) => this.play(client, card),
  };

  onCreate() {
    Object.assign(this.state, { moves: 0, turn: 0, led: -1 });
    for (let seat = 0; seat < 2; seat += 1) {
      this.state.players.push(new Player().assign({ held: 0, taken: 0 }));
    }
    this.seats = new Map();
  }

  onJoin(client) {
    const seat = this.seats.size;
    this.seats.set(client.sessionId, seat);
    client.view = new StateView();
    client.view.add(this.state.players[seat]);
    if (seat === 1) this.deal();
    this.broadcastPatch();
  }

  deal() {
    hands(Math.random).forEach((hand, seat) => {
      this.state.players[seat].hand.push(...hand);
      this.state.players[seat].held = hand.length;
    });
  }

  play(client, card) {
    const { state } = this;
    const seat = this.seats.get(client.sessionId);
    const player = state.players[seat];
    const led = state.led < 0 ? undefined : state.led;
    if (seat !== state.turn || !playable([...player.hand], led).includes(card)) return;
    player.hand.splice(player.hand.indexOf(card), 1);
    player.held -= 1;
    state.moves += 1;
    if (led === undefined) {
      state.led = card;
      state.turn = 1 - seat;
    } else {
      const winner = taker(led, card) === 0 ? 1 - seat : seat;
      state.players[winner].taken += 1;
      state.led = -1;
      state.turn = winner;
      if (player.held === 0) this.deal();
    }
    this.broadcastPatch();
  }
}

const quiet = { debug() {}, error: console.error, info() {}, trace() {}, warn() {} };
const listener = http.createServer();
const transport = new WebSocketTransport({ server: listener });
const server = new Server({ transport, greet: false, logger: quiet });
server.define('tricks', Table);
await server.listen(0, '127.0.0.1');
process.on('SIGHUP', () => globalThis.gc?.());
const address = `127.0.0.1:${listener.address().port}`;
process.stdout.write(`at ${address} ${address}\n`);

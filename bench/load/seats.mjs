// Seats at tables of other servers: just enough of each protocol to play, over a plain WebSocket.
//
// A seat tells its player two things: `told(number)`, how many moves there have been, and `asked(number, cards)`,
// that it may play one of these cards. It plays with `play(card)`.

import { Decoder } from '@colyseus/schema';
import WebSocket from 'ws';
import { playable } from './game.mjs';
import { State } from './state.mjs';

async function post(lobby, path, body) {
  const answer = await fetch(`http://${lobby}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const between = (text, before, after, from = 0) => {
  const start = text.indexOf(before, from) + before.length;
  return text.slice(start, text.indexOf(after, start));
};

// boardgame.io speaks Socket.IO: engine messages begin with one digit, events of a game's namespace with 42.
class BoardgameSeat {
  constructor(at, match, seat, credentials, player) {
    Object.assign(this, { match, seat, credentials, player });
    this.socket = new WebSocket(`ws://${at}/socket.io/?EIO=4&transport=websocket`, { perMessageDeflate: false });
    this.socket.on('message', (bytes) => this.hear(bytes.toString('latin1')));
    this.socket.on('error', () => player.lost());
    this.socket.on('close', () => player.lost());
  }

  emit(event) {
    this.socket.send(`42/tricks,${JSON.stringify(event)}`);
  }

  hear(text) {
    if (text === '2') this.socket.send('3');
    else if (text.startsWith('0')) this.socket.send('40/tricks,');
    else if (text.startsWith('40')) this.emit(['sync', this.match, String(this.seat), this.credentials, 2]);
    else if (text.startsWith('42/tricks,["sync"') || text.startsWith('42/tricks,["update"')) this.see(text);
  }

  // Looks for the few words it needs instead of reading JSON.
  see(text) {
    this.moves = Number.parseInt(between(text, '"_stateID":', ','), 10);
    this.player.told(this.moves);
    if (between(text, '"currentPlayer":"', '"') !== String(this.seat)) return;
    // The other hand is a number.
    const hand = JSON.parse(`[${between(text, '[', ']', text.indexOf('"hands":[') + 9)}]`);
    const led = between(text, '"trick":[', ']');
    const card = led === '' ? undefined : Number.parseInt(between(led, '"card":', '}'), 10);
    this.player.asked(this.moves, playable(hand, card));
  }

  play(card) {
    const { credentials, match, moves, seat } = this;
    const playerID = String(seat);
    const action = { type: 'MAKE_MOVE', payload: { type: 'play', args: [card], playerID, credentials } };
    this.emit(['update', action, moves, match, playerID]);
  }
}

const JOIN_ROOM = 10;
const ROOM_DATA = 13;
const ROOM_STATE = 14;
const ROOM_STATE_PATCH = 15;

// Colyseus speaks bytes: the first says what follows, states are schemas, what is played is MessagePack.
class ColyseusSeat {
  constructor(at, { processId, roomId, sessionId }, seat, player, joined) {
    Object.assign(this, { seat, player, joined });
    this.state = new State();
    this.decoder = new Decoder(this.state);
    // The state's form is known here, so it need not be sent.
    const address = `ws://${at}/${processId}/${roomId}?sessionId=${sessionId}&skipHandshake=1`;
    this.socket = new WebSocket(address, { perMessageDeflate: false });
    this.socket.on('message', (bytes) => this.hear(bytes));
    this.socket.on('error', () => player.lost());
    this.socket.on('close', () => player.lost());
  }

  hear(bytes) {
    if (bytes[0] === JOIN_ROOM) {
      this.socket.send(Buffer.of(JOIN_ROOM));
      this.joined();
    } else if (bytes[0] === ROOM_STATE || bytes[0] === ROOM_STATE_PATCH) {
      this.decoder.decode(bytes, { offset: 1 });
      this.see();
    }
  }

  see() {
    const { moves, turn, led, players } = this.state;
    this.player.told(moves);
    const hand = players[this.seat]?.hand;
    if (turn !== this.seat || !hand?.length) return;
    this.player.asked(moves, playable([...hand], led < 0 ? undefined : led));
  }

  play(card) {
    // A short text and a small number are one byte and its letters, and one byte.
    this.socket.send(Buffer.of(ROOM_DATA, 0xa4, 0x70, 0x6c, 0x61, 0x79, card));
  }
}

// Makes a table with two seats, each for one of the players.
export const tables = {
  async boardgame(at, lobby, players) {
    const { matchID } = await post(lobby, '/games/tricks/create', { numPlayers: 2 });
    return Promise.all(players.map(async (player, seat) => {
      const joined = await post(lobby, `/games/tricks/${matchID}/join`, { playerID: String(seat), playerName: 'Ada' });
      return new BoardgameSeat(at, matchID, seat, joined.playerCredentials, player);
    }));
  },

  async colyseus(at, lobby, players) {
    const seats = [];
    for (const [seat, player] of players.entries()) {
      const reserved = seat === 0
        ? await post(lobby, '/matchmake/create/tricks', {})
        : await post(lobby, `/matchmake/joinById/${seats[0].room}`, {});
      await new Promise((joined) => {
        seats[seat] = new ColyseusSeat(at, reserved, seat, player, joined);
        seats[seat].room = reserved.roomId;
      });
    }
    return seats;
  },
};

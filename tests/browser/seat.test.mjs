// What carries out the effects of a module, with a module that is made up: what becomes of a connection.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Seat } from '../../crates/server/assets/seat.js';

globalThis.WebSocket ??= { OPEN: 1 };

/** A socket that nothing comes through but what a test says. */
class Socket {
  readyState = 1;
  close() { this.readyState = 3; }
  hears(...bytes) { this.onmessage({ data: new Uint8Array(bytes).buffer }); }
}

/** A seat with a module that does what `call` says, and its socket once it is open. */
async function seated(call) {
  const socket = new Socket(), failed = [], calls = [];
  const module = {
    call(event, payload) {
      calls.push(event);
      return event === 'new' ? [{ kind: 'connect', pause: 0, address: 'ws://nowhere' }] : call(event, payload);
    },
  };
  const seat = new Seat(module, { open: () => socket, store: async () => {}, tell() {}, fail: (why) => failed.push(why) });
  seat.come({});
  while (!socket.onmessage) await new Promise((resolve) => setTimeout(resolve, 1));
  return { seat, socket, failed, calls };
}

test('a module that stops is said, and does not look as if it were still there', async () => {
  const { seat, socket, failed, calls } = await seated(() => { throw new WebAssembly.RuntimeError('unreachable'); });
  socket.hears(1);
  assert.deepEqual(failed, ['RuntimeError: unreachable']);
  assert.equal(socket.readyState, 3, 'the connection is closed');
  seat.want({});
  assert.deepEqual(calls, ['new', 'frame'], 'it is not called again');
});

test('when the network is gone, the module is told at once and only once', async () => {
  const { seat, socket, calls } = await seated(() => []);
  seat.cut();
  socket.onclose({ reason: '' });
  seat.cut();
  assert.deepEqual(calls, ['new', 'closed']);
  assert.equal(socket.readyState, 3);
});

test('a frame that no server has to send does not get into the module', async () => {
  const { socket, calls } = await seated(() => []);
  socket.onmessage({ data: new ArrayBuffer(40 << 20) });
  assert.equal(socket.readyState, 3);
  assert.deepEqual(calls, ['new']);
});

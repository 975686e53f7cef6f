// A chain to try out, for tests: a node with computers at a table, and a proxy in front of one that lies.

import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import { program } from './harness.mjs';

// Node has sockets like a browser's since version 22; servers of them come with Playwright.
const { ws: WS, wsServer } = (await import(new URL('./node_modules/playwright-core/lib/utilsBundle.js', import.meta.url))).default;
globalThis.WebSocket ??= WS;

/** The first of two free ports in a row. */
export async function freePorts() {
  const taken = (port) => new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(true)).listen(port, '127.0.0.1', () => probe.close(() => resolve(false)));
  });
  for (let tries = 0; tries < 100; tries += 1) {
    const port = 33_000 + Math.floor(Math.random() * 20_000);
    if (!(await taken(port)) && !(await taken(port + 1))) return port;
  }
  throw new Error('there are no free ports');
}

/** A chain of one validator, with computers at a table. Returns how to stop it. */
export function startChain(port, bots = 3) {
  const node = path.join(path.dirname(program()), 'fairdeal-node');
  const child = spawn(node, ['dev', '--port', String(port), '--bots', String(bots)], { stdio: ['ignore', 'ignore', 'inherit'] });
  const gone = new Promise((resolve) => { child.once('close', resolve); });
  return async () => {
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await gone;
    clearTimeout(late);
  };
}

/** Asks a node, as any program can. */
export async function ask(port, method, params = {}) {
  const reply = await fetch(`http://127.0.0.1:${port + 1}/`, { method: 'POST', body: JSON.stringify({ id: 1, method, params }) });
  return (await reply.json()).result;
}

/** Waits until a node answers. */
export async function awaitNode(port) {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await ask(port, 'status').catch(() => null)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the node does not answer');
}

/**
 * A node in front of another one, which changes answers: `lie(method, result)` returns what is said in place of the
 * truth, and `hear(text)` is told what is asked. Returns its address and how to stop it.
 */
export async function startLiar(port, lie, { hear = () => {}, own = 0 } = {}) {
  const server = new wsServer({ host: '127.0.0.1', port: own });
  await new Promise((resolve) => { server.once('listening', resolve); });
  server.on('connection', (near) => {
    const far = new WS(`ws://127.0.0.1:${port + 1}/ws`), asked = new Map(), early = [];
    near.on('message', (data) => {
      const text = data.toString(), { id, method } = JSON.parse(text);
      asked.set(id, method);
      hear(text);
      if (far.readyState === WS.OPEN) far.send(text);
      else early.push(text);
    });
    far.on('open', () => early.splice(0).forEach((text) => far.send(text)));
    far.on('message', (data) => {
      const said = JSON.parse(data.toString());
      if (said.result !== undefined) said.result = lie(asked.get(said.id), said.result);
      near.send(JSON.stringify(said));
    });
    near.on('close', () => far.close());
    far.on('close', () => near.close());
    far.on('error', () => near.close());
  });
  return { at: `127.0.0.1:${server.address().port}`, stop: () => new Promise((resolve) => { server.clients.forEach((one) => one.terminate()); server.close(resolve); }) };
}

/** Something that answers like no node. */
export async function startNonsense() {
  const server = new wsServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => { server.once('listening', resolve); });
  server.on('connection', (near) => near.on('message', () => near.send('hello')));
  return { at: `127.0.0.1:${server.address().port}`, stop: () => new Promise((resolve) => { server.clients.forEach((one) => one.terminate()); server.close(resolve); }) };
}

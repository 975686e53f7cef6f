// Helpers for browser tests: the program's server, a browser, and contexts that notice forbidden requests and
// errors.
//
//   const server = await startServer();            the built program, on its own port and folder const browser
//   = await startBrowser();          Debian's Chromium const ada = await open(browser, server.url);   a person:
//   a context with its own cookies, and a page await ada.page.goto(server.url); await axe(ada.page); await
//   ada.close();                             fails on foreign requests, errors and violations
//
// FAIRDEAL_BIN names the program; `cargo xtask browser` builds it and sets that.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, devices } from 'playwright-core';

const CHROMIUM = process.env.FAIRDEAL_CHROMIUM ?? '/usr/bin/chromium';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How large a person's screen is. */
export const SCREENS = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 3,
    isMobile: true,
    hasTouch: true,
    userAgent: devices['Pixel 7'].userAgent,
  },
};

/** The built program. */
export function program() {
  assert.ok(process.env.FAIRDEAL_BIN, 'FAIRDEAL_BIN names the program; `cargo xtask browser` sets it');
  return process.env.FAIRDEAL_BIN;
}

/**
 * Starts a server and waits until it says where it listens.
 *
 * With `data` it uses that folder, which is kept; otherwise a temporary one, which is deleted. `stop` ends it
 * gently, `kill` at once; both wait until it is gone.
 */
export async function startServer({ args = [], env = {}, data = undefined, listen = '127.0.0.1:0' } = {}) {
  const folder = data ?? (await mkdtemp(path.join(tmpdir(), 'fairdeal-')));
  const child = spawn(program(), ['serve', '--listen', listen, '--data', folder, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (said.err += text));
  const gone = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));

  const end = async (signal) => {
    child.kill(signal);
    // A server that does not end on its own is killed, and the test can see that.
    const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
    const how = await gone;
    clearTimeout(late);
    if (data === undefined) await rm(folder, { recursive: true, force: true });
    return how;
  };
  const server = { said, data: folder, pid: child.pid, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
  try {
    return { ...server, url: await address(child, said) };
  } catch (error) {
    await server.kill();
    throw error;
  }
}

/** The first line of the server's output: its address. */
function address(child, said) {
  return new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`${why}\n${said.out}${said.err}`));
    const late = setTimeout(() => fail('the server did not say where it listens'), 30_000);
    const look = () => {
      const found = said.out.match(/http:\/\/127\.0\.0\.1:\d+/);
      if (found) done(() => resolve(found[0]));
    };
    const done = (then) => {
      clearTimeout(late);
      child.stdout.off('data', look);
      then();
    };
    child.stdout.on('data', look);
    child.once('error', (error) => done(() => fail(`the server did not start: ${error.message}`)));
    child.once('close', () => done(() => fail('the server ended before it listened')));
  });
}

/** Debian's Chromium as a device that can fall asleep: everything in it stops, and its sockets hear nothing. */
export async function startDevice() {
  const device = await chromium.launchServer({ executablePath: CHROMIUM, args: FLAGS });
  const browser = await chromium.connect(device.wsEndpoint());
  // It leads a process group of its own.
  const send = (signal) => process.kill(-device.process().pid, signal);
  const close = async () => {
    await browser.close();
    await device.close();
  };
  return { browser, pid: device.process().pid, sleep: () => send('SIGSTOP'), wake: () => send('SIGCONT'), close };
}

/** Debian's Chromium, with further flags. */
export function startBrowser(flags = []) {
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...flags] });
}

/** Something that was thrown without a stack, such as what a browser itself rejects. */
const describe = (thrown) => `${thrown?.name}: ${thrown?.message} ${JSON.stringify(thrown)}`;

/**
 * A person at a screen: a context with its own cookies, and its first page.
 *
 * Requests and sockets to anywhere but `origin` are stopped and noted, and so are errors on the console,
 * exceptions and violations of the content security policy. `check` fails if anything was noted, `close` checks
 * and closes. `allow` names what a test causes on purpose.
 */
export async function open(browser, origin, { screen = 'desktop', ...options } = {}) {
  const context = await browser.newContext({ ...SCREENS[screen], ...options });
  const { host } = new URL(origin);
  const noted = [];
  const allowed = [];
  const note = (what) => noted.push(what);

  await context.route(
    (url) => url.host !== host && !['data:', 'blob:'].includes(url.protocol),
    (route) => {
      note(`a request to another host: ${route.request().url()}`);
      return route.abort();
    },
  );
  // Styles and scripts can be tried out without building the program again.
  const assets = process.env.FAIRDEAL_ASSETS;
  if (assets) {
    await context.route('**/assets/*/*', (route) => {
      const name = path.basename(new URL(route.request().url()).pathname), file = path.join(assets, name);
      // A worker that does not come from the server may not talk to it: Chromium takes it for one of a public network.
      return name !== 'worker.js' && existsSync(file) ? route.fulfill({ path: file }) : route.fallback();
    });
  }
  await context.routeWebSocket(
    (url) => url.host !== host,
    (socket) => {
      note(`a socket to another host: ${socket.url()}`);
      socket.close();
    },
  );
  // Chromium logs most violations on the console; the event has all of them.
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      console.error(`policy violated: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  context.on('console', (message) => {
    if (message.type() === 'error') note(`on the console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => note(`an exception: ${error.error().stack || describe(error.error())} (${error.page()?.url()})`));
  context.on('page', (page) => page.on('crash', () => note(`a page crashed: ${page.url()}`)));

  const check = () => {
    const bad = noted.filter((what) => !allowed.some((pattern) => pattern.test(what)));
    assert.equal(bad.length, 0, `the page did what it must not:\n${bad.join('\n')}`);
  };
  return {
    context,
    page: await context.newPage(),
    allow: (pattern) => allowed.push(pattern),
    check,
    close: async () => {
      await context.close();
      check();
    },
  };
}

/**
 * The sockets of a page to tables, which can be cut like a network would.
 *
 *   const line = await Line.of(page);     before the page opens one
 *   await line.drop(page);                waits until the page has noticed, and is back
 *   line.hold();                          from now on nothing arrives
 *   line.release(1);                      except this many messages; without a number everything, and from then on
 */
export class Line {
  #sockets = [];
  #held = null;

  static async of(page) {
    const line = new Line();
    await page.routeWebSocket(/\/tables\/.*\/socket/, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => (line.#held ? line.#held.push(message) : socket.send(message)));
      line.#sockets.push(socket);
    });
    return line;
  }

  hold() {
    this.#held = [];
  }

  /** How many messages wait. */
  held() {
    return this.#held.length;
  }

  release(count = Infinity) {
    for (const message of this.#held.splice(0, count)) this.#sockets.at(-1).send(message);
    if (count === Infinity) this.#held = null;
  }

  /** How many sockets there were. */
  count() {
    return this.#sockets.length;
  }

  async drop(page) {
    const before = this.count();
    const noticed = page.locator('body.offline').waitFor({ state: 'attached' });
    await this.#sockets.at(-1).close({ code: 1012 });
    await noticed;
    await page.locator('body:not(.offline)').waitFor();
    assert.ok(this.count() > before, 'the page has opened another socket');
  }
}

/** Waits until a condition holds. */
export async function until(is) {
  const late = Date.now() + 30_000;
  while (!is()) {
    assert.ok(Date.now() < late, `it does not happen: ${is}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Fails on serious and critical findings of axe-core; `options` are those of `axe.run`. */
export async function axe(page, options = {}) {
  // Evaluated instead of added as a script, which the page's policy would rightly refuse.
  await page.evaluate(`${await axeSource};undefined`);
  const { violations } = await page.evaluate((given) => globalThis.axe.run(document, given), {
    resultTypes: ['violations'],
    ...options,
  });
  const grave = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, impact, help, nodes }) => ({ id, impact, help, where: nodes.map(({ target }) => target.join(' ')) }));
  assert.equal(grave.length, 0, `axe-core at ${page.url()}: ${JSON.stringify(grave, null, 2)}`);
}

/** Writes a screenshot of the page to the folder named by FAIRDEAL_SCREENSHOTS, or to `screenshots` here. */
export async function screenshot(page, name, options = {}) {
  const folder = process.env.FAIRDEAL_SCREENSHOTS ?? fileURLToPath(new URL('screenshots', import.meta.url));
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${name}.png`);
  await page.screenshot({ path: file, animations: 'disabled', scale: 'css', ...options });
  return file;
}

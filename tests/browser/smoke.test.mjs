// The harness itself, against a page of node's own server.

import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';

import { axe, open, screenshot, startBrowser } from './harness.mjs';

const POLICY = "default-src 'self'; script-src 'self'; connect-src *";

const good = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>Smoke</title><main><h1>Smoke</h1><button>Press</button></main>`;

const pages = {
  '/': good,
  '/bare': '<!doctype html><title></title><img src="/dot"><button></button>',
  '/inline': `${good}<script>document.title = 'inline'</script>`,
  '/abroad': `${good}<script src="/abroad.js"></script>`,
  '/socket': `${good}<script src="/socket.js"></script>`,
  '/throws': `${good}<script src="/throws.js"></script>`,
};

const scripts = {
  '/abroad.js': "fetch('http://other.invalid/x').catch(() => {});",
  '/socket.js': "new WebSocket('ws://other.invalid/x');",
  '/throws.js': "throw new Error('on purpose');",
};

let origin;
let browser;
let server;

before(async () => {
  server = createServer((request, response) => {
    const type = request.url.endsWith('.js') ? 'text/javascript' : 'text/html';
    const body = pages[request.url] ?? scripts[request.url];
    response.writeHead(body === undefined ? 204 : 200, { 'content-type': type, 'content-security-policy': POLICY });
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  server.closeAllConnections();
  server.close();
});

test('a good page passes on both screens', async () => {
  for (const [screen, width] of [['desktop', 1280], ['phone', 390]]) {
    const person = await open(browser, origin, { screen });
    await person.page.goto(origin);
    assert.equal(await person.page.evaluate(() => innerWidth), width);
    assert.equal(await person.page.evaluate(() => navigator.maxTouchPoints > 0), screen === 'phone');
    await axe(person.page);
    const file = await screenshot(person.page, `smoke-${screen}`);
    assert.ok((await stat(file)).size > 1000);
    await person.close();
  }
});

test('an inaccessible page is noticed', async () => {
  const person = await open(browser, origin);
  await person.page.goto(`${origin}/bare`);
  await assert.rejects(axe(person.page), /button-name/);
  await person.close();
});

test('foreign requests and sockets, exceptions and policy violations are noticed', async () => {
  const expected = {
    '/inline': /policy violated|Content Security Policy/,
    '/abroad': /a request to another host: http:\/\/other\.invalid/,
    '/socket': /a socket to another host: ws:\/\/other\.invalid/,
    '/throws': /an exception: Error: on purpose/,
  };
  for (const [page, pattern] of Object.entries(expected)) {
    const person = await open(browser, origin);
    await person.page.goto(origin + page);
    await person.page.waitForTimeout(200);
    await assert.rejects(person.close(), pattern, page);
  }
});

test('a problem caused on purpose is allowed by name', async () => {
  const person = await open(browser, origin);
  person.allow(/on purpose/);
  await person.page.goto(`${origin}/throws`);
  await person.page.waitForTimeout(200);
  await person.close();
});

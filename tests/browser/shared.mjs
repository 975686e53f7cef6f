// One server without limits and one browser, shared by all tests of a file.

import { after, before } from 'node:test';
import { startBrowser, startServer } from './harness.mjs';

export let server;
export let browser;

before(async () => {
  server = await startServer({ args: ['--requests-per-second', '0', '--messages-per-second', '0', '--tables-per-minute', '0'] });
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

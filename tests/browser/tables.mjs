// People at private tables in real browsers.

import { open } from './harness.mjs';

/** A person whose language is English or German. */
export const person = (browser, url, options = {}) => open(browser, url, options);

/** Creates a private table through the form; returns its link. `settings` are fields by name. */
export async function create(page, url, { game = 'holdem', name = 'Ada', seats = 2, settings = {}, listed = false } = {}) {
  await page.goto(`${url}/private/new/${game}`);
  await page.locator('[data-part=new][data-ready]').waitFor();
  await page.locator('#name').fill(name);
  await page.locator(`#players-${seats}`).check();
  if (Object.keys(settings).length) {
    await page.locator('fieldset details').evaluate((details) => (details.open = true));
    for (const [name, value] of Object.entries(settings)) {
      const field = page.locator(`#set-${name}`);
      if (await field.evaluate((one) => one.tagName === 'SELECT')) await field.selectOption(value);
      else await field.fill(value);
    }
  }
  if (listed) await page.locator('[name=listed][value=yes]').check();
  await page.locator('form button.main').click();
  await page.waitForURL(/\/private\/[0-9a-f]+#fdt1/);
  await page.locator('.people li', { hasText: name }).waitFor();
  return page.url();
}

/** Sits down with a link. */
export async function come(page, link, name) {
  await page.goto(link);
  await page.locator('#come-name').fill(name);
  await page.locator('[data-part=enter] button.main').click();
  await page.locator('.people li', { hasText: name }).waitFor();
}

/**
 * Changes what the worker of a page gets from the server (`hears`) and tells the page (`tells`), by a script in front of one of
 * its parts. The worker itself comes from the server: otherwise it may not talk to it.
 */
export async function between(context, script) {
  await context.route('**/seat.js', async (route) => {
    const answer = await route.fetch();
    const prefix = `
      const Real = WebSocket;
      let hears = (pass) => pass, tells = (message) => message;
      ${script}
      const real = postMessage.bind(globalThis);
      if (typeof WorkerGlobalScope !== 'undefined') globalThis.postMessage = (message) => real(tells(message));
      globalThis.WebSocket = class extends Real {
        set onmessage(hear) {
          const changed = hears((bytes) => hear({ data: bytes.slice().buffer }));
          super.onmessage = ({ data }) => changed(new Uint8Array(data));
        }
      };
    `;
    await route.fulfill({ response: answer, body: prefix + (await answer.text()) });
  });
}

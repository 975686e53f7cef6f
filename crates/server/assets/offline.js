// The service worker of the pages for one person. It keeps them, with the files they load, and opens them when there is no
// network. It sees nothing but them: other pages, tables, sockets and the API are out of its scope. VERSION, FILES and PAGES
// are written before this by the server; another version makes another worker, which replaces this one and what it kept.
const NAME = "fairdeal-solo-", CACHE = NAME + VERSION;
/** How long a page from the server is waited for. */
const PATIENCE = 4000;

const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

/** Gets something from the server; one that has too much to do is asked again. */
async function get(address) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(address, { credentials: "same-origin" });
    if (answer.ok) return answer;
    if (answer.status !== 429 || attempt > 20) throw new Error(`${address}: ${answer.status}`);
    await pause(500);
  }
}

/** Keeps everything, or nothing: a worker that lacks something is not installed. */
async function keep() {
  const cache = await caches.open(CACHE);
  for (const address of [...FILES, ...PAGES]) await cache.put(address, await get(address));
  await self.skipWaiting();
}

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(NAME) && name !== CACHE).map((name) => caches.delete(name)));
}

const kept = async (path) => (await caches.open(CACHE)).match(path, { ignoreVary: true });

/** A file: its address has its version, so what is kept is right. */
const file = async (request, path) => (await kept(path)) ?? fetch(request);

/** A page: from the server if it answers, since a person's language or name may have changed. */
async function page(url) {
  try {
    const answer = await fetch(url, { credentials: "same-origin", signal: AbortSignal.timeout(PATIENCE) });
    if (answer.ok) {
      const copy = answer.clone();
      // A page of another version would load files that are not kept.
      if ((await copy.clone().text()).includes(`/assets/${VERSION}/`)) await (await caches.open(CACHE)).put(url.pathname, copy);
    }
    if (answer.status < 500 && answer.status !== 429) return answer;
  } catch { /* What is kept. */ }
  return (await kept(url.pathname)) ?? Response.error();
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
self.addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") {
    if (PAGES.includes(url.pathname)) event.respondWith(page(url));
  } else if (FILES.includes(url.pathname)) event.respondWith(file(request, url.pathname));
});

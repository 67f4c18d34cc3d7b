/**
 * What the browser does without a connection: it says so, on a page of its own.
 *
 * Lives here: keeping that one page, and showing it when an address cannot be had. Nothing else is
 * kept: every script, style and text comes from the server, so that no old client is ever served.
 */

/** Changes with every version of the client, so that the page that is kept does too. */
const KEEP = 'kupa-offline-VERSION';
/** The site may lie below a path. */
const [PAGE, ...OTHERS] = ['offline.html', 'offline.css', 'icon.svg'].map((file) => new URL(file, self.location.href).pathname);
const KEPT = [PAGE, ...OTHERS];

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(KEEP).then((cache) => cache.addAll(KEPT.map((path) => new Request(path, { cache: 'reload' })))));
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter((name) => name !== KEEP).map((name) => caches.delete(name))))
    .then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => kept(PAGE)));
  else if (KEPT.includes(path)) event.respondWith(fetch(request).catch(() => kept(path)));
});

/** A tap on the note that a heat starts leads to it, in the page that is open already where there is one. */
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(clients.matchAll({ type: 'window', includeUncontrolled: true })
    .then(([page]) => (page ? page.focus() : clients.openWindow(event.notification.data.path))));
});

/** @param {string} path one of KEPT */
async function kept(path) {
  const cache = await caches.open(KEEP);
  return (await cache.match(path)) ?? Response.error();
}

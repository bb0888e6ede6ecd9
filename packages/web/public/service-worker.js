// Shows what the host pushes while no page is open, and opens the session that it is about. It caches nothing.

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => event.waitUntil(show(read(event.data))));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data ?? {}));
});

/** The host encrypts what it sends, but a message may be cut or of another version. */
function read(data) {
  try {
    const { title, body, session, chat } = data.json();
    return { title: text(title) || 'moorage', body: text(body), session: text(session), chat: text(chat) };
  } catch {
    return { title: 'moorage', body: 'A session has news', session: '', chat: '' };
  }
}

function text(value) {
  return typeof value === 'string' ? value : '';
}

async function show({ title, body, session, chat }) {
  const pages = await self.clients.matchAll({ type: 'window' });
  if (pages.some((page) => page.focused)) return; // whoever looks at the page sees it there
  await self.registration.showNotification(title, {
    body,
    tag: session || 'moorage',
    renotify: true,
    icon: '/icon-192.png',
    badge: '/icon-192.png',
    data: { session, chat },
  });
}

async function open({ session, chat }) {
  const route = new URLSearchParams({ ...(session && { session }), ...(chat && { chat }), pane: 'chat' });
  const [page] = await self.clients.matchAll({ type: 'window' });
  if (!page) {
    await self.clients.openWindow(`/#${route}`);
    return;
  }
  page.postMessage({ type: 'open', route: String(route) });
  await page.focus();
}

import type { ActionOf } from '@moorage/protocol';
import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { useChannelState, useChat, useConnectionStatus, usePendingRequests, useSessions } from '../../src/react.js';
import { fakeHost, type Rig, rig } from './rig.js';
import { CHAT, delta } from './samples.js';

/** Run in a browser by `react.browser.test.ts`: React with our hooks, on a host in the same page. */
const summary = {
  resource: 'ahp-session:/s',
  provider: 'mock',
  title: 'Listed',
  status: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  modifiedAt: '2026-01-01T00:00:00.000Z',
};

const host = fakeHost();
host.onRequest = (method) => (method === 'listSessions' ? { items: [summary] } : undefined);
const page: Rig = await rig({ host });

function Chat({ uri }: { uri: string }) {
  const status = useConnectionStatus(page.client);
  const { value: chat, error } = useChat(page.client, uri);
  const state = useChannelState(chat);
  const requests = usePendingRequests(chat);
  const { sessions } = useSessions(page.client);
  const [part] = state?.activeTurn?.responseParts ?? [];
  const text = part?.kind === 'markdown' ? part.content : '';
  const failure = error instanceof Error ? error.message : '';
  const titles = sessions?.map(({ title }) => title).join() ?? '';
  return createElement('p', null, [status, text, requests.length, titles, failure].join('|'));
}

const root = createRoot(document.body);
const show = (uri: string) => root.render(createElement(StrictMode, null, createElement(Chat, { uri })));
show(CHAT);

Object.assign(globalThis, {
  show,
  unmount: () => root.unmount(),
  turn: () => page.clock.turn(),
  say: (text: string) => host.emit(CHAT, delta(text)),
  ask() {
    const request = { id: 'q', message: 'Tea?', questions: [] };
    host.emit(CHAT, { type: 'chat/inputRequested', request } as ActionOf<'chat'>);
  },
  close: () => page.client.close(),
  unsubscribed: () => host.heard.filter(({ method }) => method === 'unsubscribe').length,
  subscribed: () => host.heard.filter(({ method }) => method === 'subscribe').length,
});

import type { Store } from '@moorage/host';
import { type ChatState, ROOT_URI } from '@moorage/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { chatState, startTurn, textOf, turnEnd } from '../support/actions.js';
import { comparable, Fold } from '../support/fold.js';
import { TestHost } from '../support/test-host.js';

/** Milliseconds that each commit takes: a disk that is worn out, or far away. */
const COMMIT_MS = 40;

const slowly = (store: Store): Store => ({
  ...store,
  get header() {
    return store.header;
  },
  commit: (batch) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, COMMIT_MS); // the host stands still, as it would
    store.commit(batch);
  },
});

let host: TestHost;
beforeEach(async () => {
  host = await TestHost.start({ store: slowly });
});
afterEach(() => host.dispose());

it('a slow disk makes everything slower, and nothing else: order, mirrors and what is stored are right', async () => {
  const client = await host.client({ subscriptions: [ROOT_URI] });
  const { session, chat } = await host.session(client);
  const bob = await host.client();
  const { snapshot } = await bob.request('subscribe', { channel: chat });
  if (!snapshot) throw new Error('no snapshot');
  const mirror = new Fold('chat', snapshot);
  const turnId = startTurn(client, chat, '/stream 100');
  const titles = Array.from({ length: 50 }, (_, index) => `Title ${index}`);
  for (const title of titles) client.dispatch(session, { type: 'session/titleChanged', title });
  expect((await turnEnd(bob, chat, turnId)).type).toBe('chat/turnComplete');
  await client.sync();
  const said = client.actionsOn(session).flatMap((it) => (it.type === 'session/titleChanged' ? [it.title] : []));
  expect(said.filter((title) => title.startsWith('Title '))).toEqual(titles);
  const seqs = client.envelopes.map(({ serverSeq }) => serverSeq);
  expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
  const now = await chatState(bob, chat);
  mirror.apply(chat, bob.envelopes);
  expect(comparable('chat', mirror.state)).toEqual(comparable('chat', now));
  await host.restart();
  const later = await host.client();
  const stored = await later.subscribe<ChatState>(chat);
  expect(textOf(stored.turns[0])).toBe(textOf(now.turns[0]));
});

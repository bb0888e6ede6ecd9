import type { SessionState } from '@moorage/protocol';
import { beforeEach, expect, it } from 'vitest';
import { createMemoryDisk, createMemoryStore } from '../../src/adapters/store-memory/index.js';
import type { Channel } from '../../src/core/channel.js';
import { Door } from '../../src/core/door.js';
import type { Store } from '../../src/ports/store.js';
import { newSessionState } from '../../src/services/sessions/new-session.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

const SESSION = 'ahp-session:/one';

let store: Store;
let door: Door;
let session: Channel<'session'>;
let unheard: string[];
beforeEach(() => {
  const fail = (error: unknown) => {
    throw error;
  };
  unheard = [];
  store = createMemoryStore(createMemoryDisk());
  door = new Door({
    store,
    clock: new ManualClock(),
    numbersFor: () => 1,
    schedule: () => {}, // the test says when
    onEffectError: fail,
    onStoreError: fail,
    onDropped: (channel, action) => unheard.push(`${channel} ${action}`),
  });
  const state = newSessionState({ params: { channel: SESSION }, provider: 'demo', now: 0 } as never);
  session = door.open(SESSION, 'session', SESSION, { ...state, lifecycle: 'ready' } as SessionState);
  door.settle();
});

it('a session that has ended is gone at once, though the store has it until the tick is stored', () => {
  door.dispose(SESSION, [session]);
  expect(store.channels.read(SESSION)).toBeDefined();
  expect(door.channels.load(SESSION)).toBeUndefined();
  door.settle();
  expect(door.channels.load(SESSION)).toBeUndefined();
});

it('what is said to a session that has left memory does not go unnoticed, and to one that has ended it may', () => {
  const say = () => door.commit(session, { type: 'session/titleChanged', title: 'Late' });
  door.dispose(SESSION, [session]);
  door.settle();
  say();
  expect(unheard).toEqual([]);
  const other = door.open('ahp-session:/two', 'session', 'ahp-session:/two', session.state);
  door.settle();
  door.unload([[other.uri, [other as unknown as Channel]]]);
  session = other;
  say();
  expect(unheard).toEqual(['ahp-session:/two session/titleChanged']);
  expect(door.channels.find('session', other.uri)?.state.title).not.toBe('Late');
});

import type { SessionState } from '@ahpd/protocol';
import { expect, it } from 'vitest';
import { createMemoryDisk, createMemoryStore } from '../../src/adapters/store-memory/index.js';
import { Door } from '../../src/core/door.js';
import { newSessionState } from '../../src/services/sessions/new-session.js';

const SESSION = 'ahp-session:/one';

it('a session that has ended is gone at once, though the store has it until the tick is stored', () => {
  const fail = (error: unknown) => {
    throw error;
  };
  const store = createMemoryStore(createMemoryDisk());
  const door = new Door({
    store,
    now: () => 0,
    numbersFor: () => 1,
    schedule: () => {}, // the test says when
    onEffectError: fail,
    onStoreError: fail,
  });
  const state = newSessionState({ params: { channel: SESSION }, provider: 'demo', now: 0 } as never);
  const session = door.open(SESSION, 'session', SESSION, { ...state, lifecycle: 'ready' } as SessionState);
  door.settle();
  door.dispose(SESSION, [session]);
  expect(store.channels.read(SESSION)).toBeDefined();
  expect(door.channels.load(SESSION)).toBeUndefined();
  door.settle();
  expect(door.channels.load(SESSION)).toBeUndefined();
});

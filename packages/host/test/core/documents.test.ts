import { expect, it } from 'vitest';
import { createMemoryDisk, createMemoryStore } from '../../src/adapters/store-memory/index.js';
import { Door } from '../../src/core/door.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { createFaultyStore } from '../../src/testing/store-faulty.js';

const store = createFaultyStore(createMemoryStore(createMemoryDisk()));
const door = new Door({
  store,
  clock: new ManualClock(),
  numbersFor: () => 1,
  schedule: () => {}, // the test says when
  onEffectError: (error) => {
    throw error;
  },
  onStoreError: () => {},
  onDropped: () => {},
});
const put = (json: string | undefined) => door.documents.put({ collection: 'grants', key: 'one', json });
const read = () => door.documents.read('grants', 'one');

it('a document is as it was put last, and what could not be stored was never there', () => {
  expect(read()).toBeUndefined();
  put('1');
  put('2');
  expect(read()).toBe('2');
  door.flush();
  expect(read()).toBe('2');
  put(undefined);
  expect(read()).toBeUndefined();
  store.failNext();
  expect(() => door.flush()).toThrow('disk is full');
  expect(read()).toBe('2');
  put(undefined);
  door.flush();
  expect(read()).toBeUndefined();
});

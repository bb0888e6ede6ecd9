import { expect, it } from 'vitest';
import { createMemoryDisk, createMemoryStore } from '../../src/adapters/store-memory/index.js';
import { Documents } from '../../src/core/documents.js';
import { Door } from '../../src/core/door.js';
import { OpenTick } from '../../src/core/tick.js';
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

it.each(['read', 'readOften'] as const)('%s: a document is as it was put last, or as it is stored', (how) => {
  const read = () => door.documents[how]('grants', 'one');
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

it('what is asked for often is read from the store once after each put', () => {
  let reads = 0;
  const counting = {
    ...store,
    documents: {
      ...store.documents,
      read: (...of: Parameters<typeof store.documents.read>) => {
        reads++;
        return store.documents.read(...of);
      },
    },
  };
  const documents = new Documents(
    counting,
    new OpenTick(
      () => 0,
      () => {},
    ),
  );
  for (let time = 0; time < 3; time++) documents.readOften('grants', 'two');
  expect(reads).toBe(1);
  documents.put({ collection: 'grants', key: 'two', json: '1' });
  expect([documents.readOften('grants', 'two'), reads]).toEqual(['1', 1]);
});

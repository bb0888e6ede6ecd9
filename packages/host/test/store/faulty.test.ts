import { expect, it } from 'vitest';
import { createMemoryStore } from '../../src/adapters/store-memory/index.js';
import { StoreError } from '../../src/ports/store.js';
import { describeStore } from '../../src/testing/store-contract.js';
import { createFaultyStore } from '../../src/testing/store-faulty.js';
import { openMemory } from './harness.js';

describeStore('store-faulty without faults', () => {
  const inner = openMemory();
  return { ...inner, store: createFaultyStore(inner.store), reopen: () => createFaultyStore(inner.reopen()) };
});

it('store-faulty fails as often as it is told, and changes nothing then', () => {
  const store = createFaultyStore(createMemoryStore());
  store.failNext(2);
  expect(() => store.commit({ seqCeiling: 1 })).toThrow(StoreError);
  expect(() => store.commit({ seqCeiling: 1 })).toThrow(/disk is full/);
  expect([store.header.seqCeiling, store.failures]).toEqual([0, 2]);
  store.commit({ seqCeiling: 1 });
  store.failNext(1, new StoreError('broken', 'gone'));
  expect(() => store.commit({ seqCeiling: 2 })).toThrow('gone');
  expect([store.header.seqCeiling, store.failures]).toEqual([1, 3]);
});

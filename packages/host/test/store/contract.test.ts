import { describeDamagedStore } from '../../src/testing/damaged-store-contract.js';
import { describeStore } from '../../src/testing/store-contract.js';
import { openDamageable, openMemory, openSqlite } from './harness.js';

describeStore('store-memory', openMemory);
describeStore('store-sqlite', openSqlite);
describeDamagedStore('store-sqlite, damaged', openDamageable);
describeDamagedStore('store-sqlite with a feed, damaged', () => {
  const place = openDamageable();
  place.store.feed?.();
  return place;
});

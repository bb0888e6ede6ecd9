import { describeDamagedStore } from '../../src/testing/damaged-store-contract.js';
import { describeStoreContract } from '../../src/testing/store-contract.js';
import { openDamageable, openMemory, openSqlite } from './harness.js';

describeStoreContract('store-memory', openMemory);
describeStoreContract('store-sqlite', openSqlite);
describeDamagedStore('store-sqlite, damaged', openDamageable);

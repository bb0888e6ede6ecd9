import { describeStoreContract } from '../../src/testing/store-contract.js';
import { openMemory, openSqlite } from './harness.js';

describeStoreContract('store-memory', openMemory);
describeStoreContract('store-sqlite', openSqlite);

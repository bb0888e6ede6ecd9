export { describePtys } from './pty-contract.js';
export { describeStoreContract } from './store-contract.js';
export { createFaultyStore, type FaultyStore } from './store-faulty.js';
export { describeTransport, type FarEnd, type TransportHarness } from './transport-contract.js';

export { describeStoreContract } from './store-contract.js';
export { describeTransport, type FarEnd, type TransportHarness } from './transport-contract.js';

export { describeClock } from './clock-contract.js';
export { describeFileLists } from './file-lists-contract.js';
export { describeFiles } from './files-contract.js';
export { describeFolders } from './folders-contract.js';
export { describePtys } from './pty-contract.js';
export { describeStoreContract } from './store-contract.js';
export { createFaultyStore, type FaultyStore } from './store-faulty.js';
export { describeTransport, type FarEnd, type TransportHarness } from './transport-contract.js';
export { describeWatcher } from './watcher-contract.js';

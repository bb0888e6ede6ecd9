import { nodeWatcher } from '../../src/adapters/watcher-node/index.js';
import { describeWatcher } from '../../src/testing/watcher-contract.js';

describeWatcher('watcher-node', nodeWatcher);

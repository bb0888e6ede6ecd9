import { nodeFiles } from '../../src/adapters/files-node/index.js';
import { describeFiles } from '../../src/testing/files-contract.js';

describeFiles('files-node', nodeFiles);

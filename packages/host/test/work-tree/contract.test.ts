import { nodeClock } from '../../src/adapters/clock-node/index.js';
import { gitWorkspaces } from '../../src/compose/git-workspaces.js';
import { silentLog } from '../../src/ports/log.js';
import { describeWorkTree } from '../../src/testing/work-tree-contract.js';

describeWorkTree('work-tree-git', (directory) => gitWorkspaces({ directory, clock: nodeClock, log: silentLog }));

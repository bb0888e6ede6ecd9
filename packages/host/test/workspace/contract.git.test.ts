import { nodeClock } from '../../src/adapters/clock-node/index.js';
import { gitWorkspaces } from '../../src/compose/git-workspaces.js';
import { silentLog } from '../../src/ports/log.js';
import { describeWorkspaces } from '../../src/testing/workspace-contract.js';

describeWorkspaces('workspace-git', (directory) => gitWorkspaces({ directory, clock: nodeClock, log: silentLog }));

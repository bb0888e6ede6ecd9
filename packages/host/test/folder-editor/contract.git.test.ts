import { nodeClock } from '../../src/adapters/clock-node/index.js';
import { gitWorkspaces } from '../../src/compose/git-workspaces.js';
import { silentLog } from '../../src/ports/log.js';
import { describeFolderEditor } from '../../src/testing/folder-editor-contract.js';

describeFolderEditor('folder-editor-git', (directory) =>
  gitWorkspaces({ directory, clock: nodeClock, log: silentLog }),
);

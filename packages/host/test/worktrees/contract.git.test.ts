import { basename, dirname, join } from 'node:path';
import { gitWorktrees } from '../../src/adapters/worktrees-git/index.js';
import { describeWorktrees } from '../../src/testing/worktrees-contract.js';

describeWorktrees('worktrees-git', {
  make: (directory) => gitWorktrees({ directory }),
  movedAside: ({ path }) => join(dirname(path), `.removing-${basename(path)}`),
});

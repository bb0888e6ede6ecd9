import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { nodeClock } from '../../src/adapters/clock-node/index.js';
import { nodeFileLists } from '../../src/adapters/file-lists-node/index.js';
import { nodeFolders } from '../../src/adapters/folders-node/index.js';
import { nodeIds } from '../../src/adapters/ids-node/index.js';
import { describeClock } from '../../src/testing/clock-contract.js';
import { describeFileLists } from '../../src/testing/file-lists-contract.js';
import { describeFolders } from '../../src/testing/folders-contract.js';

describeClock('clock-node', () => ({
  clock: nodeClock,
  elapse: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}));
describeFolders('folders-node', nodeFolders);
describeFileLists('file-lists-node, outside a repository', nodeFileLists, () => {});
describeFileLists('file-lists-node, in a repository', nodeFileLists, (folder) =>
  execFileSync('git', ['init', '--quiet', folder]),
);

it('ids-node never gives an id twice', () => {
  const ids = Array.from({ length: 10_000 }, () => nodeIds.next());
  expect(new Set(ids).size).toBe(ids.length);
});

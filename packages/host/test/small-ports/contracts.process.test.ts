import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { nodeClock } from '../../src/adapters/clock-node/index.js';
import { nodeFileLists } from '../../src/adapters/file-lists-node/index.js';
import { nodeFolders } from '../../src/adapters/folders-node/index.js';
import { nodeIds } from '../../src/adapters/ids-node/index.js';
import { lockFolder } from '../../src/adapters/lock-sqlite/index.js';
import { nodeShells } from '../../src/adapters/shell-node/index.js';
import { otelTelemetry } from '../../src/adapters/telemetry-otel/index.js';
import { describeClock } from '../../src/testing/clock-contract.js';
import { countingIds } from '../../src/testing/counting-ids.js';
import { describeFileLists } from '../../src/testing/file-lists-contract.js';
import { describeFolderLock } from '../../src/testing/folder-lock-contract.js';
import { describeFolders } from '../../src/testing/folders-contract.js';
import { describeIds } from '../../src/testing/ids-contract.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { describeShells } from '../../src/testing/shell-contract.js';
import { describeTelemetry } from '../../src/testing/telemetry-contract.js';

const folder = mkdtempSync(join(tmpdir(), 'moorage-small-ports-'));
afterAll(() => rmSync(folder, { recursive: true }));

describeClock('clock-node', () => ({
  clock: nodeClock,
  elapse: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}));
describeClock('the clock that tests move by hand', () => {
  const clock = new ManualClock();
  return { clock, elapse: (milliseconds) => clock.advance(milliseconds) };
});
describeFolderLock('lock-sqlite', lockFolder);
describeFolders('folders-node', nodeFolders);
describeFileLists('file-lists-node, outside a repository', nodeFileLists, () => {});
describeFileLists('file-lists-node, in a repository', nodeFileLists, (place) =>
  execFileSync('git', ['init', '--quiet', place]),
);
describeIds('ids-node', () => nodeIds);
describeIds('ids that count', countingIds);
describeShells('shell-node', (shell) => nodeShells({ directory: folder, shell }));
describeTelemetry('telemetry-otel', () => {
  const telemetry = otelTelemetry({ version: '1', batchMs: 5, metricsMs: 20 });
  if (!telemetry) throw new Error('it is turned off');
  return telemetry;
});

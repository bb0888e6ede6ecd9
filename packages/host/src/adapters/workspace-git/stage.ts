import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkspaceError } from '../../ports/workspace.js';
import { settleIgnored } from './ignored.js';
import type { Shadow } from './shadow.js';

/** Makes the host's index say what every file of the folder is now. */
export async function stageAll(shadow: Shadow): Promise<void> {
  const { run, folder, directory, repository, refresh } = shadow;
  if (!existsSync(folder)) throw new WorkspaceError(`the folder ${folder} does not exist`);
  await refresh();
  // Nobody else writes here: a lock is what a killed process left, and would keep this from ever seeing a change.
  await rm(join(directory, 'index.lock'), { force: true });
  await settleIgnored(shadow);
  // A file that cannot be read is left as it was; it must not keep the others from being seen.
  const where = `:(literal)${repository?.prefix ?? ''}`;
  await run(['add', '--all', '--sparse', '--ignore-errors', '--', where], { accept: [1] });
}

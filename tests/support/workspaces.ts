import { join } from 'node:path';
import { type GitWorkspacesOptions, gitWorkspaces, nodeClock, type Workspaces } from '@moorage/host';

/** What remembers files, kept in the data folder of a host. */
export function workspacesIn(folder: string, options: Partial<GitWorkspacesOptions> = {}): Workspaces {
  const log = { write: () => {} };
  return gitWorkspaces({ directory: join(folder, 'workspaces'), clock: nodeClock, log, ...options });
}

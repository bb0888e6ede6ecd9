import { join } from 'node:path';
import { type GitWorkspacesOptions, gitWorkspaces, type Log, nodeClock, type Workspaces } from '@moorage/host';

/** Errors that workspaces of this process have logged, such as a tier that threw. TestHost fails on them. */
export const workspaceErrors: string[] = [];

/** What remembers files, kept in the data folder of a host. */
export function workspacesIn(folder: string, options: Partial<GitWorkspacesOptions> = {}): Workspaces {
  const log: Log = {
    write: (level, message, fields) => {
      if (level === 'error') workspaceErrors.push(`${message} ${JSON.stringify(fields)}`);
    },
  };
  return gitWorkspaces({ directory: join(folder, 'workspaces'), clock: nodeClock, log, ...options });
}

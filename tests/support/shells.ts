import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from 'vitest';

/** Where a shell is on this machine. */
export function shellPath(shell: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, shell)).find(isExecutable);
}

/** `describe` for tests that need a shell: without it they are left out loudly, and fail in CI. */
export function describeShell(shell: string): typeof describe | typeof describe.skip {
  if (shellPath(shell) !== undefined || process.env.CI) return describe;
  process.stderr.write(`!!! ${shell} is not installed: its tests are SKIPPED. Install it to run them.\n`);
  return describe.skip;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Records which temporary files exist, so that the next start can remove those that a crash left behind. */
export interface TemporaryFiles {
  /** Records a temporary file while `work` runs, from before it exists until the work has ended in any way. */
  during<T>(file: { readonly name: string; readonly real: string }, work: () => Promise<T>): Promise<T>;
}

/** The names that `temporary` gives. No other file is ever removed. */
const TEMPORARY_NAME = /^\.moorage-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/** Keeps one record per temporary file in `directory`, after removing what an earlier process left behind. */
export function recordedIn(directory: string): TemporaryFiles {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(directory)) sweep(join(directory, name));
  return {
    async during({ name, real }, work) {
      const record = join(directory, name);
      await writeFile(record, real, { mode: 0o600 });
      try {
        return await work();
      } finally {
        await rm(record, { force: true });
      }
    },
  };
}

/** For a host without a data folder. */
export const unrecorded: TemporaryFiles = { during: (_file, work) => work() };

function sweep(record: string): void {
  try {
    const path = readFileSync(record, 'utf8');
    // A crash while the record was written left it incomplete; the temporary file did not exist yet then.
    const isComplete = TEMPORARY_NAME.test(basename(path)) && basename(path) === basename(record);
    if (isComplete) rmSync(path, { recursive: true, force: true });
    rmSync(record, { force: true });
  } catch {
    // The folder is not mounted or no longer writable. The record stays for the next start.
  }
}

import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Knows which temporary files are being written, so that those of a process that died can be taken away. */
export interface Unfinished {
  /** Notes the place before anything is there, and forgets it when the work is over, however it ends. */
  during<T>(place: { readonly name: string; readonly real: string }, work: () => Promise<T>): Promise<T>;
}

/** Names that `temporary` gives; nothing else is ever taken away. */
const OURS = /^\.ahpd-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/** Keeps its notes in a folder of its own. What an earlier process left unfinished is removed first. */
export function unfinishedIn(directory: string): Unfinished {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(directory)) sweep(join(directory, name));
  return {
    async during({ name, real }, work) {
      const note = join(directory, name);
      await writeFile(note, real, { mode: 0o600 });
      try {
        return await work();
      } finally {
        await rm(note, { force: true });
      }
    },
  };
}

/** For a process that keeps nothing. */
export const unnoted: Unfinished = { during: (_place, work) => work() };

function sweep(note: string): void {
  try {
    const path = readFileSync(note, 'utf8');
    // A note that was cut short names nothing, and then nothing was made yet.
    if (OURS.test(basename(path)) && basename(path) === basename(note)) rmSync(path, { recursive: true, force: true });
    rmSync(note, { force: true });
  } catch {
    // A folder that is away or not ours any more; the note stays for the next start.
  }
}

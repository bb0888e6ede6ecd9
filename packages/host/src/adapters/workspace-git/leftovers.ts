import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Marks a folder of stores as in use, and removes what is left in it of a life that did not end as it should: a git that is
 * killed leaves what it was writing. Gives back how to say that this life has ended.
 */
export function useStores(directory: string, now: number): () => void {
  const mark = join(directory, 'in-use');
  if (existsSync(mark)) void namesIn(directory).then((ids) => removeLeftovers(directory, ids, now));
  quietly(() => {
    mkdirSync(directory, { recursive: true });
    writeFileSync(mark, '');
  });
  return () => quietly(() => rmSync(mark, { force: true }));
}

/** Removes what gits that were killed left in these stores before that time. */
export async function removeLeftovers(directory: string, ids: Iterable<string>, before: number): Promise<void> {
  for (const id of ids) {
    const objects = join(directory, id, 'objects');
    const folders = (await namesIn(objects)).filter((name) => /^([0-9a-f]{2}|pack)$/.test(name));
    for (const folder of folders.map((name) => join(objects, name))) {
      for (const name of await namesIn(folder)) if (name.startsWith('tmp_')) await remove(join(folder, name), before);
    }
  }
}

/** What is newer is being written. */
async function remove(path: string, before: number): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found && found.mtimeMs < before) await rm(path, { force: true }).catch(() => undefined);
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** A disk that cannot be written to is met, and said, by whoever needs it. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // see above
  }
}

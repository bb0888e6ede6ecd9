import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Marks a folder of stores as in use until the returned function is called. If the mark is still there from before, the
 * host did not shut down properly, and the half-written files of killed gits are removed.
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

/** Removes the temporary files that killed gits left in these stores before that time. */
export async function removeLeftovers(directory: string, ids: Iterable<string>, before: number): Promise<void> {
  for (const id of ids) {
    const objects = join(directory, id, 'objects');
    const folders = (await namesIn(objects)).filter((name) => /^([0-9a-f]{2}|pack)$/.test(name));
    for (const folder of folders.map((name) => join(objects, name))) {
      for (const name of await namesIn(folder))
        if (name.startsWith('tmp_')) await removeIfOlder(join(folder, name), before);
    }
  }
}

/** A newer file is still being written. */
async function removeIfOlder(path: string, before: number): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found && found.mtimeMs < before) await rm(path, { force: true }).catch(() => undefined);
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** Ignores errors: if the disk cannot be written, whoever needs it next reports that. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // see above
  }
}

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What a store takes on disk. */
export interface Stored {
  readonly bytes: number;
  /** Objects outside of packs, a file each. */
  readonly loose: number;
  readonly packs: number;
}

/** Reads one folder after the other: there may be thousands of files, and others need the disk too. */
export async function measureStore(directory: string): Promise<Stored> {
  const objects = join(directory, 'objects');
  let [bytes, loose] = [0, 0];
  for (const name of await namesIn(objects)) {
    if (name === 'info') continue;
    const files = await namesIn(join(objects, name));
    const sizes = await Promise.all(files.map((file) => sizeOf(join(objects, name, file))));
    bytes += sizes.reduce((sum, size) => sum + size, 0);
    if (isFanOut(name)) loose += files.length;
  }
  return { bytes, loose, packs: (await packsIn(directory)).length };
}

/** The names of all complete packs, without extension. A pack that is being written has no index yet. */
export async function packsIn(directory: string): Promise<string[]> {
  const files = new Set(await namesIn(join(directory, 'objects', 'pack')));
  const indexes = [...files].filter((file) => file.endsWith('.idx')).map((file) => file.slice(0, -'.idx'.length));
  return indexes.filter((name) => files.has(`${name}.pack`));
}

/** The ids of all objects outside of packs. */
export async function looseObjects(directory: string): Promise<string[]> {
  const objects = join(directory, 'objects');
  const ids: string[] = [];
  for (const name of (await namesIn(objects)).filter(isFanOut)) {
    for (const file of await namesIn(join(objects, name))) if (/^[0-9a-f]+$/.test(file)) ids.push(name + file);
  }
  return ids;
}

/** Git puts loose objects into folders named by the first two digits of their ids. */
function isFanOut(name: string): boolean {
  return /^[0-9a-f]{2}$/.test(name);
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** The size of a file in bytes; 0 if it does not exist. */
export function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

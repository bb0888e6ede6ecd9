import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Shadow } from './shadow.js';
import { packsIn, sizeOf } from './stored-bytes.js';

/**
 * Makes one pack of many small ones: git looks into each in turn, and a store that is always in use is never packed anew. All that
 * is in them stays, and they go only once the new one is on the disk, so a crash leaves duplicates at most. Whoever reads
 * meanwhile finds the new pack: git looks for packs again before it says that an object is missing.
 */
export async function joinPacks({ run, directory }: Shadow): Promise<void> {
  const folder = join(directory, 'objects', 'pack');
  const packs = await Promise.all(
    (await packsIn(directory)).map(async (name) => ({ name, bytes: await sizeOf(join(folder, `${name}.pack`)) })),
  );
  const joined = worthJoining(packs).map(({ name }) => name);
  if (joined.length < 2) return;
  const ids = new Set<string>();
  for (const name of joined) for (const id of await objectsIn(run, join(folder, `${name}.idx`))) ids.add(id);
  const args = ['-c', 'pack.threads=1', 'pack-objects', '--quiet', join(folder, 'pack')];
  const made = (await run(args, { input: `${[...ids].join('\n')}\n` })).toString().trim();
  for (const name of joined) if (name !== `pack-${made}`) await removePack(folder, name);
}

interface Pack {
  readonly name: string;
  readonly bytes: number;
}

/**
 * The smallest ones, so many that each of the others is at least twice as large as all that are smaller. Large packs are rarely
 * written again this way, and there are never more than a few.
 */
export function worthJoining<P extends Pick<Pack, 'bytes'>>(packs: readonly P[]): P[] {
  const sorted = packs.toSorted((one, other) => one.bytes - other.bytes);
  let count = 0;
  let smaller = 0;
  for (const [index, { bytes }] of sorted.entries()) {
    if (bytes < 2 * smaller) count = index + 1;
    smaller += bytes;
  }
  return sorted.slice(0, count);
}

/** Each line has a place in the pack, then the id. */
async function objectsIn(run: Shadow['run'], index: string): Promise<string[]> {
  const lines = (await run(['show-index'], { input: await readFile(index) })).toString().split('\n');
  return lines.flatMap((line) => line.split(' ')[1] ?? []);
}

/** The objects first, as git does it: an index without them is passed over, and takes little room. */
async function removePack(folder: string, name: string): Promise<void> {
  await rm(join(folder, `${name}.pack`), { force: true });
  const others = (await readdir(folder)).filter((file) => file.startsWith(`${name}.`));
  for (const file of others) await rm(join(folder, file), { force: true });
}

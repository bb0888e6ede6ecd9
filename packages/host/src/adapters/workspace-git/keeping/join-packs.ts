import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Shadow } from '../repository/shadow.js';
import { packsIn, sizeOf } from './stored-bytes.js';

/**
 * Joins many small packs into one: git searches each in turn, and a store that is always in use is never repacked.
 * Every object is kept, and the old packs are removed only once the new one is on the disk, so a crash leaves at most
 * duplicates. Readers find the new pack: git rescans the packs before it reports an object as missing.
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
 * The smallest packs, so many that each remaining one is at least twice as large as all smaller ones together. This way
 * large packs are rarely rewritten, and only a few are left.
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

/** Each line of `show-index` has an offset in the pack, then the id. */
async function objectsIn(run: Shadow['run'], index: string): Promise<string[]> {
  const lines = (await run(['show-index'], { input: await readFile(index) })).toString().split('\n');
  return lines.flatMap((line) => line.split(' ')[1] ?? []);
}

/** Removes the objects first, as git does: an index without its pack is ignored, and takes little room. */
async function removePack(folder: string, name: string): Promise<void> {
  await rm(join(folder, `${name}.pack`), { force: true });
  const others = (await readdir(folder)).filter((file) => file.startsWith(`${name}.`));
  for (const file of others) await rm(join(folder, file), { force: true });
}

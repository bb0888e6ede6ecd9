import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SUBMODULE } from '../../../ports/file-modes.js';
import type { Retained } from '../../../ports/workspace.js';
import { typesOf } from '../objects/object-types.js';
import type { Shadow } from '../repository/shadow.js';

/** Packs the wanted objects anew, then removes all other old ones. A crash in between loses nothing. */
export async function retain({ run, directory }: Shadow, { ids, olderThan }: Retained): Promise<void> {
  const objects = join(directory, 'objects');
  const old = await listOlder(objects, olderThan);
  if (old.length < WORTH_PACKING) return;
  const { trees, others } = await splitTrees(run, ids);
  const names = await reachable(run, trees, ['--filter=blob:none', '--filter-provided-objects']);
  const own = await pack(run, objects, [...others, ...names], []);
  // Of the files themselves, what the user's repository has is not copied: it becomes wanted once a change shows it.
  const files = [...(await reachable(run, trees, [])), ...(await inIndex(run))];
  const borrowed = await pack(run, objects, files, ['--local']);
  const made = [own, borrowed].filter((name) => name !== '');
  for (const path of old) if (!made.some((name) => path.includes(name))) await rm(path, { force: true });
}

/** Files in the store from which repacking is worthwhile: git searches each pack in turn. */
const WORTH_PACKING = 16;

/** The name of the new pack; empty when there was nothing to pack. */
async function pack(run: Shadow['run'], objects: string, ids: readonly string[], how: readonly string[]) {
  const existing = [...(await typesOf(run, ids)).keys()];
  if (existing.length === 0) return '';
  const args = ['pack-objects', '--quiet', ...how, join(objects, 'pack', 'pack')];
  return (await run(args, { input: `${existing.join('\n')}\n` })).toString().trim();
}

async function splitTrees(run: Shadow['run'], ids: readonly string[]): Promise<{ trees: string[]; others: string[] }> {
  const types = [...(await typesOf(run, ids))];
  return {
    trees: types.flatMap(([id, type]) => (type === 'tree' ? [id] : [])),
    others: types.flatMap(([id, type]) => (type === 'tree' ? [] : [id])),
  };
}

async function reachable(run: Shadow['run'], trees: readonly string[], filter: readonly string[]): Promise<string[]> {
  if (trees.length === 0) return [];
  const list = ['rev-list', '--objects', '--missing=allow-any', ...filter, '--stdin'];
  const lines = (await run(list, { input: `${trees.join('\n')}\n` })).toString().split('\n');
  return lines.flatMap((line) => line.split(' ', 1)[0] || []);
}

async function inIndex(run: Shadow['run']): Promise<string[]> {
  const records = (await run(['ls-files', '--stage', '-z'])).toString('latin1').split('\0');
  return records.flatMap((record) => record.match(OBJECT_IN_INDEX)?.[1] ?? []);
}

const OBJECT_IN_INDEX = new RegExp(`^(?!${SUBMODULE})\\d+ ([0-9a-f]+) `);

/** The object files and packs that were written before that time. */
async function listOlder(objects: string, olderThan: number): Promise<string[]> {
  const folders = (await readdir(objects)).filter((name) => name !== 'info');
  const lists = await Promise.all(
    folders.map(async (folder) => (await readdir(join(objects, folder))).map((name) => join(objects, folder, name))),
  );
  const times = await Promise.all(lists.flat().map(async (path) => ({ path, time: (await stat(path)).mtimeMs })));
  return times.filter(({ time }) => time < olderThan).map(({ path }) => path);
}

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Retained } from '../../ports/workspace.js';
import type { Shadow } from './shadow.js';

/** Packs all that is wanted anew, then removes every other object. A crash in between loses nothing. */
export async function retain({ run, directory }: Shadow, { states, contentIds }: Retained): Promise<void> {
  const objects = join(directory, 'objects');
  const before = await listObjects(objects);
  const known = await existing(run, [...new Set(states)]);
  const names = await reachable(run, known, ['--filter=blob:none', '--filter-provided-objects']);
  const own = await pack(run, objects, [...contentIds, ...names], []);
  // What the user's repository has of the files as they are now is not copied: once it shows in a change, it is wanted.
  const files = [...(await reachable(run, known, [])), ...(await inIndex(run))];
  const borrowed = await pack(run, objects, files, ['--local']);
  const made = [own, borrowed].filter((name) => name !== '');
  for (const path of before) if (!made.some((name) => path.includes(name))) await rm(path, { force: true });
}

/** The name of the new pack; empty when there was nothing to pack. */
async function pack(run: Shadow['run'], objects: string, ids: readonly string[], how: readonly string[]) {
  const there = await existing(run, [...new Set(ids)]);
  if (there.length === 0) return '';
  const args = ['pack-objects', '--quiet', ...how, join(objects, 'pack', 'pack')];
  return (await run(args, { input: `${there.join('\n')}\n` })).toString().trim();
}

async function reachable(run: Shadow['run'], states: readonly string[], filter: readonly string[]): Promise<string[]> {
  if (states.length === 0) return [];
  const list = ['rev-list', '--objects', '--missing=allow-any', ...filter, '--stdin'];
  const lines = (await run(list, { input: `${states.join('\n')}\n` })).toString().split('\n');
  return lines.flatMap((line) => line.split(' ', 1)[0] || []);
}

async function inIndex(run: Shadow['run']): Promise<string[]> {
  const records = (await run(['ls-files', '--stage', '-z'])).toString('latin1').split('\0');
  return records.flatMap((record) => record.match(/^(?!160000)\d+ ([0-9a-f]+) /)?.[1] ?? []);
}

async function existing(run: Shadow['run'], ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const lines = (await run(['cat-file', '--batch-check=%(objectname)'], { input: `${ids.join('\n')}\n` })).toString();
  return lines.split('\n').filter((line) => line !== '' && !line.endsWith(' missing'));
}

/** The files that hold objects now. */
async function listObjects(objects: string): Promise<string[]> {
  const folders = (await readdir(objects)).filter((name) => name !== 'info');
  const lists = await Promise.all(
    folders.map(async (folder) => (await readdir(join(objects, folder))).map((name) => join(objects, folder, name))),
  );
  return lists.flat();
}

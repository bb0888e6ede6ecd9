import { join } from 'node:path';
import { convertedPaths } from '../shared/git/converted.js';
import { joinRecords, splitRecords } from '../shared/git/records.js';
import type { Repository } from '../shared/git/repository.js';
import type { Scratch } from '../shared/git/scratch.js';
import { copyIndex } from './copy-index.js';
import type { Shadow } from './shadow.js';

/** Whether git stores all files of this tree as the very bytes that they have on disk. */
export async function isStoredAsOnDisk({ repository, run }: Shadow, tree: string): Promise<boolean> {
  if (!repository) return true;
  const paths = [...(await listTree(run, tree)).keys()];
  return (await convertedPaths(repository, fromTop(repository, paths))).size === 0;
}

/**
 * A commit's tree with the bytes that its files have on disk. Files that git converts (line ends) or
 * filters (large files) are stored as other bytes and would all show as changed. So where the user's index says that a
 * file is unchanged, the content that a look finds replaces the stored one.
 */
export function asOnDisk(shadow: Shadow, tree: string, look: () => Promise<string>, scratch: Scratch): Promise<string> {
  return scratch.use((folder) => replaceConverted(shadow, tree, look, join(folder, 'index')));
}

async function replaceConverted(
  { repository, run }: Shadow,
  tree: string,
  look: () => Promise<string>,
  index: string,
): Promise<string> {
  if (!repository) return tree;
  const stored = await listTree(run, tree);
  const converted = await convertedPaths(repository, fromTop(repository, [...stored.keys()]));
  if (converted.size === 0 || !(await copyIndex(repository.index, index, run))) return tree;
  const indexed = new Set(splitRecords(await run(['ls-files', '--stage', '-z'], { index })));
  // Git would start another one in each submodule, with that one's own settings, to see whether it has changes.
  const list = ['diff-files', '--name-only', '-z', '--ignore-submodules=all'];
  const dirty = new Set(splitRecords(await run(list, { index })));
  const found = await listTree(run, await look());
  const lines = [...stored].flatMap(([path, entry]) => {
    const [full = ''] = fromTop(repository, [path]);
    const there = found.get(path);
    const clean = converted.has(full) && !dirty.has(full) && indexed.has(`${entry} 0\t${full}`);
    return clean && there !== undefined && there !== entry ? [`${there} 0\t${path}`] : [];
  });
  if (lines.length === 0) return tree;
  await run(['read-tree', tree], { index });
  await run(['update-index', '-z', '--index-info'], { index, input: joinRecords(lines) });
  return (await run(['write-tree', '--missing-ok'], { index })).toString().trim();
}

function fromTop({ prefix }: Repository, paths: readonly string[]): string[] {
  const top = prefix === '' ? '' : `${Buffer.from(prefix).toString('latin1')}/`;
  return paths.map((path) => top + path);
}

/** Mode and id of every file, by path. */
async function listTree(run: Shadow['run'], tree: string): Promise<Map<string, string>> {
  const records = splitRecords(await run(['ls-tree', '-r', '-z', '--full-tree', tree]));
  return new Map(
    records.map((record) => {
      const tab = record.indexOf('\t');
      const [mode, , id] = record.slice(0, tab).split(' ');
      return [record.slice(tab + 1), `${mode} ${id}`];
    }),
  );
}

import { git } from '../shared/git/git.js';
import { joinRecords, splitRecords } from '../shared/git/records.js';
import type { Shadow } from './shadow.js';

/**
 * Git goes on looking at a file that is in its index, ignored or not. What is ignored since it was first seen must leave the
 * host's index, and what the user committed although it is ignored must be in it. Says whether the index is another now.
 */
export async function settleIgnored({ repository, run }: Shadow): Promise<boolean> {
  const list = ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard', '--full-name'];
  const [ours, theirs] = await Promise.all([
    run(list).then(splitRecords),
    repository
      ? git([...list, '--', `:(literal)${repository.prefix}`], { cwd: repository.top }).then(splitRecords)
      : [],
  ]);
  const [gone, come] = [without(ours, theirs), without(theirs, ours)];
  await update(run, '--force-remove', gone);
  await update(run, '--add', come);
  return gone.length + come.length > 0;
}

async function update(run: Shadow['run'], how: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  // --remove: a committed file that is not on disk is no failure
  await run(['update-index', how, '--remove', '-z', '--stdin'], { input: joinRecords(paths), accept: [128] });
}

function without(paths: readonly string[], others: readonly string[]): string[] {
  const left = new Set(others);
  return paths.filter((path) => !left.has(path));
}

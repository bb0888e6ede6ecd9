import { joinRecords, splitRecords } from '../../shared/git/records.js';
import type { Shadow } from '../repository/shadow.js';

/**
 * Git keeps looking at a file that is in its index, ignored or not. So a file that became ignored must leave the host's
 * index, and an ignored file that the user has committed must be in it. Resolves to whether the index changed.
 */
export async function settleIgnored({ repository, git, run }: Shadow): Promise<boolean> {
  const list = ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard', '--full-name'];
  const [hosts, users] = await Promise.all([
    run(list).then(splitRecords),
    repository
      ? git.run([...list, '--', `:(literal)${repository.prefix}`], { cwd: repository.top }).then(splitRecords)
      : [],
  ]);
  const [gone, added] = [without(hosts, users), without(users, hosts)];
  await update(run, '--force-remove', gone);
  await update(run, '--add', added);
  return gone.length + added.length > 0;
}

async function update(run: Shadow['run'], how: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  // --remove: a committed file that is missing on disk is not an error
  await run(['update-index', how, '--remove', '-z', '--stdin'], { input: joinRecords(paths), accept: [128] });
}

function without(paths: readonly string[], others: readonly string[]): string[] {
  const excluded = new Set(others);
  return paths.filter((path) => !excluded.has(path));
}

import type { Git } from './git.js';
import { splitRecords } from './records.js';

/** A file that is to be filtered by a program which only the repository configures; undefined if there is none. */
export async function ownFilterOf(git: Git, folder: string): Promise<{ filter: string; path: string } | undefined> {
  const filters = await ownFilters(git, folder);
  if (filters.size === 0) return undefined;
  const input = await git.run(['ls-files', '--cached', '-z', '--full-name', ':/'], { cwd: folder });
  const top = (await git.run(['rev-parse', '--show-toplevel'], { cwd: folder })).toString().trimEnd();
  const fields = splitRecords(await git.run(['check-attr', '-z', '--stdin', 'filter'], { cwd: top, input }));
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const filter = fields[at + 2] ?? '';
    if (filters.has(filter)) return { filter, path: Buffer.from(fields[at] ?? '', 'latin1').toString() };
  }
  return undefined;
}

/** Filters that the repository configures and the user does not. */
async function ownFilters(git: Git, folder: string): Promise<Set<string>> {
  const fields = (await git.run(['config', '--list', '--show-scope', '-z'], { cwd: folder }))
    .toString('latin1')
    .split('\0');
  const [own, users] = [new Set<string>(), new Set<string>()];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const filter = /^filter\.([^\n]+)\.(?:smudge|clean|process)(?:\n|$)/.exec(fields[at + 1] ?? '')?.[1];
    if (filter === undefined) continue;
    (fields[at] === 'local' || fields[at] === 'worktree' ? own : users).add(filter);
  }
  return new Set([...own].filter((filter) => !users.has(filter)));
}

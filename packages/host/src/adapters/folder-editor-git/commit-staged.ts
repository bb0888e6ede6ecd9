import { join } from 'node:path';
import { FolderEditError } from '../../ports/folder-editor.js';
import type { CommitOptions } from '../../ports/user-repository.js';
import { copyIndexFile } from '../shared/git/copy-index-file.js';
import type { Git } from '../shared/git/git.js';
import { joinRecords } from '../shared/git/records.js';
import { findRepository, type Repository } from '../shared/git/repository.js';
import type { Scratch } from '../shared/git/scratch.js';
import { unfinishedIn } from './unfinished.js';
import { runAsUser } from './user-git.js';

/** Commits what is staged in a folder, or of these paths only. What else is staged in the repository stays staged. */
export async function commitStaged(
  git: Git,
  folder: string,
  scratch: Scratch,
  message: string,
  { only, operation }: CommitOptions = {},
): Promise<{ id: string }> {
  const mark = operation === undefined ? {} : { GIT_REFLOG_ACTION: reflogMark(operation) };
  const commit = (env: Record<string, string> = {}) =>
    runAsUser(git, 'git', ['commit', '--quiet', '--file=-'], folder, { input: message, env: { ...env, ...mark } });
  const repository = await findRepository(git, folder);
  const isPart = only !== undefined || (repository !== undefined && repository.prefix !== '');
  const elsewhere = repository && isPart ? await stagedElsewhere(git, repository, only) : [];
  if (!repository || elsewhere.length === 0) await commit();
  else {
    await assertNothingUnfinished(git, folder, elsewhere);
    await scratch.use(async (place) => {
      // As git itself does for `git commit --only`: an index without the rest, which stays in the real one.
      const index = join(place, 'index');
      await copyIndexFile(repository.index, index);
      const input = joinRecords(elsewhere.map(({ before, path }) => `${before}\t${path}`));
      const env = { GIT_INDEX_FILE: index };
      await git.run(['update-index', '-z', '--index-info'], { cwd: repository.top, env, input });
      await commit(env);
    });
  }
  return { id: await runAsUser(git, 'git', ['rev-parse', '--short', 'HEAD'], folder) };
}

/** Finds a commit by its mark. Its id could not be stored before git had made it, and the host may have died since. */
export async function commitOf(
  git: Git,
  folder: string,
  operation: string,
): Promise<{ commit: string; id: string } | undefined> {
  const search = ['--walk-reflogs', '--max-count=1', '--fixed-strings', `--grep-reflog=${reflogMark(operation)}:`];
  const commit = await git.ask(['rev-list', ...search, 'HEAD'], folder);
  if (!commit) return undefined;
  return { commit, id: (await git.ask(['rev-parse', '--short', commit], folder)) ?? commit };
}

function reflogMark(operation: string): string {
  return `commit (moorage ${operation})`;
}

interface StagedElsewhere {
  /** Mode and id in the last commit, as `update-index --index-info` takes them; zeros if it is new. */
  readonly before: string;
  readonly path: string;
}

async function stagedElsewhere(
  git: Git,
  { top, prefix }: Repository,
  only: ReadonlySet<string> | undefined,
): Promise<StagedElsewhere[]> {
  const head = await git.ask(['rev-parse', '--verify', '--quiet', 'HEAD'], top);
  const last = head ?? (await git.run(['mktree'], { cwd: top, input: '' })).toString().trim(); // an empty tree
  const args = ['diff-index', '--cached', '--raw', '-z', '--no-abbrev', '--no-renames', last];
  const fields = (await git.run(args, { cwd: top })).toString('latin1').split('\0');
  const found: StagedElsewhere[] = [];
  const own = prefix === '' ? '' : Buffer.from(`${prefix}/`).toString('latin1');
  const isMeant = (path: string) =>
    path.startsWith(own) && (only?.has(Buffer.from(path.slice(own.length), 'latin1').toString()) ?? true);
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [mode = '', , id = ''] = (fields[at] ?? '').slice(1).split(' ');
    const path = fields[at + 1] ?? '';
    if (!isMeant(path)) found.push({ before: `${/^0+$/.test(mode) ? '0' : mode} ${id}`, path });
  }
  return found;
}

/** Like git, which makes no partial commit of a merge. */
async function assertNothingUnfinished(git: Git, folder: string, [first]: readonly StagedElsewhere[]): Promise<void> {
  const unfinished = await unfinishedIn(git, folder);
  if (!unfinished) return;
  const path = Buffer.from(first?.path ?? '', 'latin1').toString();
  const why = `a ${unfinished} is not finished, and it has staged more than what would be committed, such as ${path}`;
  throw new FolderEditError('refused', `${why}; finish it with git`);
}

import type { IndexEntry } from '../../../ports/user-index.js';
import type { FileVersion } from '../../../ports/workspace.js';
import { contentOf } from '../file-hunks.js';
import { exchangeHunks } from '../hunks.js';
import { isSameContent } from '../index-entries.js';
import { OperationRefused } from '../refused.js';
import { threeWay } from '../three-way.js';
import { nameOf } from '../words.js';
import type { Job, Runner } from './job.js';
import { indexSteps, pathsOf } from './staging.js';

/** What shall be different at a path: the last commit has `base` there, and gets `wanted`. */
interface Fix {
  readonly path: string;
  readonly base: IndexEntry | undefined;
  readonly wanted: IndexEntry | undefined;
}

/**
 * Puts a change that is not committed into an earlier commit of the branch, as if it had been made then. The commits since
 * are made again with it, the branch is moved to the last of them, and the files stay as they are. A step that can be undone.
 */
export const fixup: Runner = async (job) => {
  const { editor, commit } = job;
  const { repository } = editor;
  if (commit === undefined) throw new OperationRefused('The commit is missing; nothing was changed.');
  const { commit: from, branch } = await repository.head();
  const commits = await repository.rewritable(commit);
  const fixes = await fixesOf(job);
  const paths = fixes.map(({ path }) => path);
  const rewritten = [];
  for (const one of commits) rewritten.push({ commit: one, entries: await fixed(job, one, fixes) });
  const made = await repository.rewrite(rewritten);
  const move = { from, to: made.at(-1), branch, paths, rewrites: true };
  const label = `the fix of ${commits[0]?.slice(0, SHORT)} with ${nameOf(job)}`;
  const run = async () => {
    await repository.moveHead(move);
    return { move, label };
  };
  await job.perform({ label, index: await fixedIndex(job, fixes), head: { move, index: 'after', run } });
  const more = commits.length - 1;
  const since = more === 0 ? '' : ` ${more === 1 ? '1 commit since is' : `${more} commits since are`} new as well.`;
  return { message: `Put ${nameOf(job)} into ${commits[0]?.slice(0, SHORT)}.${since}` };
};

const SHORT = 7;

async function fixesOf({ aim, editor: { index, contents } }: Job): Promise<Fix[]> {
  if (aim.kind === 'changeset') throw new OperationRefused('Choose a file or lines; nothing was changed.');
  const { before, after } = aim.change;
  const committed = await index.committed(pathsOf([aim.change]));
  const stored = async (version: FileVersion, content: Uint8Array) => ({
    mode: version.mode,
    id: version.mode.startsWith('100') ? await index.store(content) : version.contentId,
  });
  const whole = after && (await stored(after, await contentOf(contents, after.contentId)));
  if (before && after && before.path === after.path && aim.kind === 'range') {
    const [old, now] = [await contentOf(contents, before.contentId), await contentOf(contents, after.contentId)];
    const wanted = await stored(after, exchangeHunks(old, now, 'before', aim.hunks));
    return [{ path: after.path, base: committed.get(after.path), wanted }];
  }
  const paths = new Set([before?.path, after?.path].filter((path) => path !== undefined));
  return [...paths].map((path) => ({
    path,
    base: committed.get(path),
    wanted: path === after?.path ? whole : undefined,
  }));
}

/** What a commit has at these paths, with the change. */
async function fixed({ editor }: Job, commit: string, fixes: readonly Fix[]) {
  const found = await editor.repository.entriesIn(
    commit,
    fixes.map(({ path }) => path),
  );
  const entries = new Map<string, IndexEntry | undefined>();
  for (const fix of fixes) entries.set(fix.path, await merged({ editor }, fix, found.get(fix.path), commit));
  return entries;
}

/** The index with the change: what is staged besides it stays staged. */
async function fixedIndex({ editor }: Job, fixes: readonly Fix[]) {
  const now = await editor.index.entries(fixes.map(({ path }) => path));
  const wanted = new Map<string, IndexEntry | undefined>();
  for (const fix of fixes) {
    const entry = now.get(fix.path);
    if (isSameContent(entry, fix.wanted)) continue; // it was staged
    const to = await merged({ editor }, fix, entry, 'the index');
    wanted.set(fix.path, to && { ...to, ...(entry?.marks && { marks: entry.marks }) });
  }
  return indexSteps(editor.index, wanted);
}

async function merged(
  { editor: { contents, index } }: Pick<Job, 'editor'>,
  { path, base, wanted }: Fix,
  ours: IndexEntry | undefined,
  where: string,
): Promise<IndexEntry | undefined> {
  const version = (entry: IndexEntry | undefined) => entry && { path, contentId: entry.id, mode: entry.mode };
  const sides = { base: version(base), ours: version(ours), theirs: version(wanted) };
  const outcome = await threeWay(contents, path, sides);
  if ('problem' in outcome) {
    const place = where === 'the index' ? where : where.slice(0, SHORT);
    throw new OperationRefused(
      `In ${place}, ${path} has other lines at this place; nothing was changed. Commit the change by itself.`,
    );
  }
  const { result } = outcome;
  if (!result) return undefined;
  const known = [base, ours, wanted].some((entry) => entry?.id === result.contentId);
  const id = known ? result.contentId : await index.store(await contentOf(contents, result.contentId));
  return { mode: result.mode, id };
}

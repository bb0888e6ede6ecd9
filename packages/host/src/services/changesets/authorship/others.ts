import { lineHunks } from '../../../lines/line-hunks.js';
import type { FileChange, SharedHunk } from '../../../ports/workspace.js';
import { pathOf } from '../words.js';
import { blame } from './blame.js';
import { fold, type Step, type Texts } from './fold.js';
import type { History } from './history.js';
import type { Authorship } from './weave.js';

interface Marking {
  readonly history: History;
  /** The turns whose changes need no mark, by key. */
  readonly isOwn: (key: string) => boolean;
  /** Tells the steps after which a file was as the newer side has it. */
  readonly isEnd: (step: Step) => boolean;
  readonly texts: Texts;
}

/** Marks in changes between two states what others than some turns have changed: the user, other chats. */
export async function markOthers(changes: readonly FileChange[], marking: Marking): Promise<FileChange[]> {
  const marked: FileChange[] = [];
  for (const change of changes) {
    const others = await othersIn(change, marking);
    marked.push(others ? { ...change, ...others, changedBetween: true } : change);
  }
  return marked;
}

/** Undefined if all of it is their own. */
async function othersIn(
  change: FileChange,
  { history, isOwn, isEnd, texts }: Marking,
): Promise<Pick<FileChange, 'sharedWith' | 'sharedHunks'> | undefined> {
  const path = pathOf(change);
  const steps = history.paths.get(path);
  if (!steps) return { sharedWith: [USER] }; // no turn has touched it: a switch of the branch may change thousands
  const own = await fold(path, steps, isOwn, texts);
  const isAllTheirs =
    own?.before?.contentId === change.before?.contentId && own?.after?.contentId === change.after?.contentId;
  if (own && isAllTheirs && own.sharedWith.length === 0) return undefined;
  const read = (version: FileChange['before']) => (version ? texts.read(version) : []);
  const [before, after] = [await read(change.before), await read(change.after)];
  const authors = before && after && (await blame({ path, history, isEnd, before, after, texts }));
  if (!authors) return { sharedWith: [USER] };
  const nameOf = (key: string) => history.turns.get(key)?.turnId ?? key;
  const othersOf = (author: Authorship | undefined) =>
    author?.by.some(isOwn)
      ? (author.sharedWith ?? [])
      : author && author.by.length > 0
        ? author.by.map(nameOf)
        : [USER];
  const sharedHunks = lineHunks(before, after).flatMap((hunk): SharedHunk[] => {
    const removed = authors.before.slice(hunk.before.start, hunk.before.start + hunk.before.count);
    const added = authors.after.slice(hunk.after.start, hunk.after.start + hunk.after.count);
    const others = [...removed.map(({ removedBy }) => removedBy), ...added.map(({ addedBy }) => addedBy)];
    const sharedWith = [...new Set(others.flatMap(othersOf))];
    return sharedWith.length > 0 ? [{ ...hunk, sharedWith }] : [];
  });
  const sharedWith = [...new Set(sharedHunks.flatMap((hunk) => hunk.sharedWith))];
  return sharedHunks.length > 0 ? { sharedWith, sharedHunks } : undefined;
}

/** Stands for everyone who is not a turn. */
const USER = 'user';

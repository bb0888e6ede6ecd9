import type { FileChange, FileVersion, Workspace } from '../../../ports/workspace.js';
import type { RecordedChange, TurnRecord } from '../records.js';
import { type Folded, fold, type Step, type Texts } from './fold.js';
import { noteShared } from './own-changes.js';

/** Everything that the turns of a session and operations on it did, path by path, oldest first. */
export interface History {
  readonly paths: ReadonlyMap<string, readonly Step[]>;
  /** The turns, by their keys. */
  readonly turns: ReadonlyMap<string, Pick<TurnRecord, 'turnId' | 'chat'>>;
}

/** A record with its key, and with what a turn that still runs has changed so far. */
export interface KeyedRecord extends TurnRecord {
  readonly key: string;
  readonly files: readonly RecordedChange[];
}

export function historyOf(records: readonly KeyedRecord[]): History {
  const paths = new Map<string, Step[]>();
  for (const [index, { key, files, end, isOperation }] of records.entries()) {
    const author = isOperation ? { by: [], isOperation } : { by: [key] };
    for (const change of files) {
      // Records of earlier versions have no moment. They come before all others, in the order of their list.
      const at = change.at ?? (end ? index : Number.POSITIVE_INFINITY);
      for (const step of change.steps ?? stepsOf(change, at)) {
        const path = step.before?.path ?? step.after?.path ?? '';
        paths.set(path, [...(paths.get(path) ?? []), { ...step, ...author }]);
      }
    }
  }
  for (const [path, steps] of paths) if (steps.length > 1) paths.set(path, inOrder(steps));
  const turns = records.filter(({ isOperation }) => !isOperation);
  return { paths, turns: new Map(turns.map(({ key, turnId, chat }) => [key, { turnId, ...(chat && { chat }) }])) };
}

/** What some turns changed, as the files before and after it, with notes by path. */
export interface FoldedHistory {
  readonly before: readonly FileVersion[];
  readonly after: readonly FileVersion[];
  readonly notes: ReadonlyMap<string, Folded>;
}

/** What some turns changed, without what others changed in between. */
export async function foldAll(
  { paths }: History,
  isOwn: (key: string) => boolean,
  texts: Texts,
): Promise<FoldedHistory> {
  const before: FileVersion[] = [];
  const after: FileVersion[] = [];
  const notes = new Map<string, Folded>();
  for (const [path, steps] of paths) {
    const folded = await fold(path, steps, isOwn, texts);
    if (!folded) continue;
    if (folded.before) before.push(folded.before);
    if (folded.after) after.push(folded.after);
    if (folded.changedBetween || folded.sharedWith.length > 0) notes.set(path, folded);
  }
  return { before, after, notes };
}

/** The same as changes with line counts. */
export async function compareFolded(
  workspace: Workspace,
  { before, after, notes }: FoldedHistory,
): Promise<FileChange[]> {
  const [older, newer] = await Promise.all([workspace.compose(before), workspace.compose(after)]);
  const changes = await workspace.compare(older, newer);
  if (notes.size === 0) return changes; // the same objects, which ChangesetChannel recognizes
  return changes.map((change) => {
    const found = [...new Set([change.before?.path, change.after?.path])].flatMap(
      (path) => notes.get(path ?? '') ?? [],
    );
    if (found.length === 0) return change;
    const changedBetween = found.some((one) => one.changedBetween);
    return { ...change, ...noteShared(found, (name) => name), ...(changedBetween && { changedBetween }) };
  });
}

/** A file that moved counts as one that went and one that came; comparing the results detects the move again. */
function stepsOf({ before, after }: FileChange, at: number): Omit<Step, 'by'>[] {
  if (before && after && before.path !== after.path)
    return [
      { at, before },
      { at, after, movedFrom: before },
    ];
  return [{ at, before, after }];
}

/** By moment. A step that several turns have in their records is one step of all of them. */
function inOrder(steps: readonly Step[]): Step[] {
  const sorted: Step[] = [];
  for (const step of [...steps].sort((a, b) => a.at - b.at || 0)) {
    const last = sorted.at(-1);
    const isSame =
      last?.at === step.at &&
      last.before?.contentId === step.before?.contentId &&
      last.after?.contentId === step.after?.contentId;
    if (last && isSame && !step.isOperation) sorted[sorted.length - 1] = { ...last, by: [...last.by, ...step.by] };
    else sorted.push(step);
  }
  return sorted;
}

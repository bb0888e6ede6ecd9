import type { Contents } from '../../ports/contents.js';
import { SUBMODULE } from '../../ports/file-modes.js';
import type { CurrentFile, EditStep, FolderEditor } from '../../ports/folder-editor.js';
import type { FileChange, FileVersion } from '../../ports/workspace.js';
import { NOT_KEPT } from './file-versions.js';
import { describeLines } from './hunks.js';
import { OperationRefused } from './refused.js';

/** A change to take back: `base` becomes `wanted`. Their paths differ if the file moved. */
export interface Reversal {
  /** What the change left, according to the changeset. */
  readonly base: FileVersion | undefined;
  /** What should be there instead. */
  readonly wanted: FileVersion | undefined;
}

export function reversalOf({ before, after }: FileChange): Reversal {
  return { base: after, wanted: before };
}

/**
 * Plans the steps that take all these changes back from what is on disk now and leave later work alone. If one change
 * cannot be taken back, all are refused.
 */
export async function planReversals(editor: FolderEditor, reversals: readonly Reversal[]): Promise<EditStep[]> {
  const outcomes = await planEach(editor, reversals);
  const problems = outcomes.flatMap((outcome) => ('problem' in outcome ? [outcome.problem] : []));
  if (problems.length > 0) throw new OperationRefused(`Nothing was changed. ${summarize(problems)}.`);
  return outcomes.flatMap((outcome) => ('steps' in outcome ? outcome.steps : []));
}

export type Planned = { readonly steps: EditStep[] } | { readonly problem: string };

/** The steps that take each of these changes back, or why that cannot be done. */
export async function planEach(editor: FolderEditor, reversals: readonly Reversal[]): Promise<Planned[]> {
  const paths = new Set(reversals.flatMap(({ base, wanted }) => [base?.path ?? [], wanted?.path ?? []].flat()));
  const found = await editor.read([...paths]);
  // A path behind a link that the plan removes counts as absent: the folder that the link replaced comes back.
  const removed = new Set(
    reversals.flatMap(({ base, wanted }) => (base && wanted?.path !== base.path ? [base.path] : [])),
  );
  const current = new Map([...found].map(([path, file]) => [path, isBehindLink(file, removed) ? ABSENT : file]));
  const outcomes: Planned[] = [];
  for (const reversal of reversals) {
    const outcome = await planOne(editor, reversal, current);
    outcomes.push('problem' in outcome ? outcome : { steps: outcome.steps.filter(isChange) });
  }
  return outcomes;
}

function isChange({ from, to }: EditStep): boolean {
  return !isSameVersion(from, to);
}

async function planOne(
  editor: FolderEditor,
  { base, wanted }: Reversal,
  current: ReadonlyMap<string, CurrentFile>,
): Promise<Planned> {
  const path = base?.path ?? wanted?.path ?? '';
  if (base?.mode === SUBMODULE || wanted?.mode === SUBMODULE) return planNested(editor, path, base, wanted);
  const notKept = base?.notKept ?? wanted?.notKept;
  if (notKept) return { problem: `${path}: ${NOT_KEPT[notKept.reason]}` };
  const [here, there] = [stateAt(current, path), stateAt(current, wanted?.path ?? path)];
  if (here.kind === 'barred') return { problem: `${path}: ${here.why}` };
  if (there.kind === 'barred') return { problem: `${wanted?.path ?? path}: ${there.why}` };
  const moved = base !== undefined && wanted !== undefined && base.path !== wanted.path;
  if (!moved) {
    const outcome = await threeWay(editor.contents, path, { base, ours: here.version, theirs: wanted });
    return 'problem' in outcome ? outcome : { steps: [step(path, here.version, outcome.result, here.folder)] };
  }
  return planMove(editor, { base, wanted, ours: here.version, there: there.version });
}

/** A nested repository is only moved to another commit, never created or removed: its history may be nowhere else. */
async function planNested(
  editor: FolderEditor,
  path: string,
  base: FileVersion | undefined,
  wanted: FileVersion | undefined,
): Promise<Planned> {
  if (base?.mode !== SUBMODULE || wanted?.mode !== SUBMODULE || base.path !== wanted.path)
    return { problem: `${path} is a repository of its own; move or remove it by hand` };
  const now = await editor.nested.head(path);
  if (now === wanted.contentId) return { steps: [] };
  if (now !== base.contentId) return { problem: `${path} is a repository of its own, and is at another commit now` };
  return { steps: [step(path, base, wanted)] };
}

/** Moves the file back to its former path, with what was written to it since. */
async function planMove(
  editor: FolderEditor,
  move: { base: FileVersion; wanted: FileVersion; ours: FileVersion | undefined; there: FileVersion | undefined },
): Promise<Planned> {
  const { base, wanted, ours, there } = move;
  if (!ours && there?.contentId === wanted.contentId) return { steps: [] }; // someone has already moved it back
  if (there) return { problem: `${wanted.path} exists again, so ${base.path} cannot go back there` };
  const outcome = await threeWay(editor.contents, base.path, { base, ours, theirs: wanted });
  if ('problem' in outcome) return outcome;
  return { steps: [step(base.path, ours, undefined), step(wanted.path, undefined, outcome.result)] };
}

const ABSENT: CurrentFile = { kind: 'absent' };

function isBehindLink(file: CurrentFile, removed: ReadonlySet<string>): boolean {
  return file.kind === 'barred' && file.behindLink !== undefined && removed.has(file.behindLink);
}

function stateAt(current: ReadonlyMap<string, CurrentFile>, path: string): FileState {
  const found = current.get(path) ?? { kind: 'absent' };
  if (found.kind === 'barred') return found;
  return found.kind === 'file'
    ? { kind: 'open', version: found.version }
    : { kind: 'open', version: undefined, folder: found.folder };
}

function step(path: string, from: FileVersion | undefined, to: FileVersion | undefined, folder?: string): EditStep {
  return {
    path,
    ...(from && { from: { ...from, path } }),
    ...(to && { to: { ...to, path } }),
    ...(folder !== undefined && { folder }),
  };
}

/** Files that a refusal names before it says how many more there are. */
const MOST_PROBLEMS = 10;

export function summarize(problems: readonly string[]): string {
  const more = problems.length - MOST_PROBLEMS;
  return `${problems.slice(0, MOST_PROBLEMS).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** What is at a path, or why it must not be touched. */
type FileState =
  | { readonly kind: 'open'; readonly version: FileVersion | undefined; readonly folder?: string | undefined }
  | { readonly kind: 'barred'; readonly why: string };

interface Sides {
  /** What the change left there. */
  readonly base: FileVersion | undefined;
  /** What is there now. */
  readonly ours: FileVersion | undefined;
  /** What should be there instead. */
  readonly theirs: FileVersion | undefined;
}

/**
 * Applies the step from `base` to `theirs` to `ours`; undefined stands for no file. A file that nobody touched since
 * becomes exactly `theirs`, whatever that is. Otherwise both changes are kept if they are text and do not overlap, and
 * the step is refused if not.
 */
export async function threeWay(
  contents: Contents,
  path: string,
  { base, ours, theirs }: Sides,
): Promise<{ result: FileVersion | undefined } | { problem: string }> {
  if (isSameVersion(ours, base)) return { result: theirs };
  if (isSameVersion(ours, theirs)) return { result: ours };
  if (!ours) return { problem: `${path} was deleted since` };
  if (!base) return { problem: `${path} exists now` };
  if (!theirs) return { problem: `${path} was changed since${await changedLines(contents, base, ours)}` };
  if (![base, ours, theirs].every(isRegular)) return { problem: `${path} was changed since, and is not text` };
  const mode = ours.mode === base.mode ? theirs.mode : ours.mode;
  if (ours.contentId === base.contentId) return { result: { ...theirs, mode } };
  if (theirs.contentId === base.contentId) return { result: { ...ours, mode } };
  const merged = await contents.merge(base.contentId, ours.contentId, theirs.contentId);
  if (!merged) return { problem: `${path} was changed since, and is not text` };
  if (merged.kind === 'clean') return { result: { path, contentId: merged.id, mode } };
  return { problem: `${path} was changed since at the same place (${describeLines(merged.lines)})` };
}

export function isSameVersion(one: FileVersion | undefined, other: FileVersion | undefined): boolean {
  return one?.contentId === other?.contentId && one?.mode === other?.mode;
}

function isRegular({ mode }: FileVersion): boolean {
  return mode.startsWith('100');
}

async function changedLines(contents: Contents, base: FileVersion, ours: FileVersion): Promise<string> {
  if (!isRegular(base) || !isRegular(ours)) return '';
  const hunks = await contents.hunks(base.contentId, ours.contentId);
  return hunks && hunks.length > 0 ? ` (${describeLines(hunks.map(({ after }) => after))})` : '';
}

import { SUBMODULE } from '../../../ports/file-modes.js';
import type { CurrentFile, EditStep, FolderEditor } from '../../../ports/folder-editor.js';
import type { FileChange, FileVersion } from '../../../ports/workspace.js';
import { NOT_KEPT } from '../file-versions.js';
import { OperationRefused } from '../refused.js';
import { type FileState, isSameVersion, type Reversal, threeWay } from '../three-way.js';

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

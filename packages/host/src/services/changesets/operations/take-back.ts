import { SUBMODULE } from '../../../ports/file-modes.js';
import type { CurrentFile, EditStep, FolderEditor } from '../../../ports/folder-editor.js';
import type { FileChange, FileVersion } from '../../../ports/workspace.js';
import { OperationRefused } from '../refused.js';
import { isSameVersion, type Place, type Reversal, threeWay } from '../three-way.js';

/** The reversal of a whole change. */
export function reversalOf({ before, after }: FileChange): Reversal {
  return { base: after, wanted: before };
}

/**
 * What must be done to each path so that all these changes are taken back from what is on disk now, with later work
 * left alone. Refuses as a whole when one of them cannot be.
 */
export async function planReversals(editor: FolderEditor, reversals: readonly Reversal[]): Promise<EditStep[]> {
  const paths = new Set(reversals.flatMap(({ base, wanted }) => [base?.path ?? [], wanted?.path ?? []].flat()));
  const found = await editor.read([...paths]);
  // A link that goes away hides nothing: the folder that was in its place comes back.
  const leaving = new Set(
    reversals.flatMap(({ base, wanted }) => (base && wanted?.path !== base.path ? [base.path] : [])),
  );
  const current = new Map([...found].map(([path, file]) => [path, isBehind(file, leaving) ? ABSENT : file]));
  const steps: EditStep[] = [];
  const problems: string[] = [];
  for (const reversal of reversals) {
    const outcome = await planOne(editor, reversal, current);
    if ('problem' in outcome) problems.push(outcome.problem);
    else steps.push(...outcome.steps);
  }
  if (problems.length > 0) throw new OperationRefused(summarize(problems));
  return steps.filter(({ from, to }) => !isSameVersion(from, to));
}

async function planOne(
  editor: FolderEditor,
  { base, wanted }: Reversal,
  current: ReadonlyMap<string, CurrentFile>,
): Promise<{ steps: EditStep[] } | { problem: string }> {
  const path = base?.path ?? wanted?.path ?? '';
  if (base?.mode === SUBMODULE || wanted?.mode === SUBMODULE) return planNested(editor, path, base, wanted);
  const [here, there] = [placeOf(current, path), placeOf(current, wanted?.path ?? path)];
  if (here.kind === 'barred') return { problem: `${path}: ${here.why}` };
  if (there.kind === 'barred') return { problem: `${wanted?.path ?? path}: ${there.why}` };
  const moved = base !== undefined && wanted !== undefined && base.path !== wanted.path;
  if (!moved) {
    const outcome = await threeWay(editor.contents, path, { base, ours: here.version, theirs: wanted });
    return 'problem' in outcome ? outcome : { steps: [step(path, here.version, outcome.result)] };
  }
  return planMove(editor, { base, wanted, ours: here.version, there: there.version });
}

/** A repository inside the folder goes to another commit, and is never made or removed: its history is nowhere else. */
async function planNested(
  editor: FolderEditor,
  path: string,
  base: FileVersion | undefined,
  wanted: FileVersion | undefined,
): Promise<{ steps: EditStep[] } | { problem: string }> {
  if (base?.mode !== SUBMODULE || wanted?.mode !== SUBMODULE || base.path !== wanted.path)
    return { problem: `${path} is a repository of its own; move or remove it by hand` };
  const now = await editor.nested.head(path);
  if (now === wanted.contentId) return { steps: [] };
  if (now !== base.contentId) return { problem: `${path} is a repository of its own, and is at another commit now` };
  return { steps: [step(path, base, wanted)] };
}

/** The file goes back to where it was, with what was written to it since. */
async function planMove(
  editor: FolderEditor,
  move: { base: FileVersion; wanted: FileVersion; ours: FileVersion | undefined; there: FileVersion | undefined },
): Promise<{ steps: EditStep[] } | { problem: string }> {
  const { base, wanted, ours, there } = move;
  if (!ours && there?.contentId === wanted.contentId) return { steps: [] }; // somebody did that already
  if (there) return { problem: `${wanted.path} exists again, so ${base.path} cannot go back there` };
  const outcome = await threeWay(editor.contents, base.path, { base, ours, theirs: wanted });
  if ('problem' in outcome) return outcome;
  return { steps: [step(base.path, ours, undefined), step(wanted.path, undefined, outcome.result)] };
}

const ABSENT: CurrentFile = { kind: 'absent' };

function isBehind(file: CurrentFile, leaving: ReadonlySet<string>): boolean {
  return file.kind === 'barred' && file.behindLink !== undefined && leaving.has(file.behindLink);
}

function placeOf(current: ReadonlyMap<string, CurrentFile>, path: string): Place {
  const found = current.get(path) ?? { kind: 'absent' };
  if (found.kind === 'barred') return found;
  return { kind: 'open', version: found.kind === 'file' ? found.version : undefined };
}

function step(path: string, from: FileVersion | undefined, to: FileVersion | undefined): EditStep {
  return { path, ...(from && { from: { ...from, path } }), ...(to && { to: { ...to, path } }) };
}

/** Files that a refusal names before it says how many more there are. */
const MOST_PROBLEMS = 10;

function summarize(problems: readonly string[]): string {
  const more = problems.length - MOST_PROBLEMS;
  return `Nothing was changed. ${problems.slice(0, MOST_PROBLEMS).join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}

import type { EditStep } from '../../ports/folder-editor.js';
import type { FileChange, Workspace } from '../../ports/workspace.js';
import type { ViewChange } from './journal.js';
import { chain } from './records.js';
import { isSameVersion } from './three-way.js';

/** A turn's changes without what operations did to the same files meanwhile, which becomes part of their baseline. */
export async function withoutSteps(
  workspace: Workspace,
  changes: readonly FileChange[],
  steps: readonly EditStep[],
): Promise<readonly FileChange[]> {
  if (steps.length === 0 || changes.length === 0) return changes;
  const { before, after } = chain([changes]);
  const paths = new Set([...before, ...after].map(({ path }) => path));
  const begin = new Map(before.map((version) => [version.path, version]));
  for (const { path, from, to } of steps) {
    if (!paths.has(path) || !isSameVersion(begin.get(path), from)) continue;
    if (to) begin.set(path, { ...to, path });
    else begin.delete(path);
  }
  const [older, newer] = await Promise.all([workspace.compose([...begin.values()]), workspace.compose(after)]);
  return workspace.compare(older, newer);
}

/** Changes of finished turns without the parts that were taken back. */
export async function withViews(
  workspace: Workspace,
  changes: readonly FileChange[],
  views: readonly ViewChange[],
): Promise<readonly FileChange[]> {
  if (views.length === 0) return changes;
  const { before, after } = chain([changes]);
  const end = new Map(after.map((version) => [version.path, version]));
  for (const { base, wanted } of views) {
    const path = base?.path ?? wanted?.path ?? '';
    if (!isSameVersion(end.get(path), base)) continue;
    end.delete(path);
    if (wanted) end.set(wanted.path, wanted);
  }
  const [older, newer] = await Promise.all([workspace.compose(before), workspace.compose([...end.values()])]);
  return workspace.compare(older, newer);
}

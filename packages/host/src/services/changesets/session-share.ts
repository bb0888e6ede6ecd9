import type { Contents } from '../../ports/contents.js';
import type { EditStep } from '../../ports/folder-editor.js';
import type { FileChange, FileVersion } from '../../ports/workspace.js';
import { chain } from './records.js';
import type { Reversal } from './three-way.js';
import { threeWay } from './three-way.js';

/** An operation that changed files: what it was to take back, and what it did on disk. */
export interface DoneOperation {
  readonly id: string;
  readonly reversals: readonly Reversal[];
  readonly steps: readonly EditStep[];
  readonly contents: Contents;
}

/**
 * What an operation did to the changes of a session. Only files that its turns changed count, and of those only the
 * turns' part, not what the user has written since.
 */
export async function sessionShare(
  { reversals, steps, contents }: DoneOperation,
  ended: readonly (readonly FileChange[])[],
  running: readonly (readonly FileChange[])[],
): Promise<FileChange[]> {
  const after = new Map(chain(ended).after.map((version) => [version.path, version]));
  const touched = pathsOf(ended);
  // Files that a running turn has touched are left out: its own changes already show what the operation made of them.
  for (const path of pathsOf(running)) touched.delete(path);
  const files: FileChange[] = [];
  for (const { base, wanted } of reversals) {
    const path = base?.path ?? wanted?.path ?? '';
    if (!touched.has(path) && !(wanted && touched.has(wanted.path))) continue;
    const ours = after.get(path);
    const outcome = await threeWay(contents, path, { base, ours, theirs: wanted });
    const onDisk = steps.find((step) => step.path === (wanted?.path ?? path))?.to;
    const result = 'problem' in outcome ? onDisk : outcome.result;
    const placed: FileVersion | undefined = result && { ...result, path: wanted?.path ?? path };
    files.push({ ...(ours && { before: ours }), ...(placed && { after: placed }) });
  }
  return files;
}

function pathsOf(lists: readonly (readonly FileChange[])[]): Set<string> {
  const versions = lists.flat().flatMap(({ before, after }) => [before, after]);
  return new Set(versions.flatMap((version) => (version ? [version.path] : [])));
}

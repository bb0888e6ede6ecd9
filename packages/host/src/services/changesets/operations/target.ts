import {
  type ChangesetOperation,
  type ChangesetOperationTarget,
  fileUriIn,
  linesOf,
  type URI,
} from '@moorage/protocol';
import { invalidParams } from '../../../core/errors.js';
import type { Contents, Hunk } from '../../../ports/contents.js';
import type { FileChange, FileVersion } from '../../../ports/workspace.js';
import { decoded } from '../../decoded.js';
import { hunksOf } from '../file-hunks.js';
import { type Side, touchedHunks } from '../hunks.js';

/** What an operation works on: the whole changeset, one file, or some lines of one side of a file. */
export type Aim =
  | { readonly kind: 'changeset' }
  | { readonly kind: 'resource'; readonly change: FileChange }
  /** `hunks` are those that the range touches. */
  | { readonly kind: 'range'; readonly change: FileChange; readonly hunks: readonly Hunk[] };

/** Throws if the operation does not have the target's scope. Needs no access to files. */
export function checkScope({ id, scopes }: ChangesetOperation, target: ChangesetOperationTarget | undefined): void {
  const scope = target?.kind ?? 'changeset';
  if (scopes.includes(scope)) return;
  const allowed = scopes.map((one) => `"${one}"`).join(' or ');
  if (!target) throw invalidParams(`params/target: expected a target; "${id}" works on ${allowed}`);
  throw invalidParams(`params/target/kind: expected ${allowed}; "${id}" does not work on "${scope}"`);
}

/** Finds the file and the hunks that a target names. */
export async function resolveTarget(
  target: ChangesetOperationTarget | undefined,
  folder: URI,
  changes: readonly FileChange[],
  contents: Contents,
): Promise<Aim> {
  if (!target) return { kind: 'changeset' };
  const { resource, side } = target;
  const change = findChange(changes, folder, resource, side);
  if (!change) throw invalidParams('params/target/resource: expected the URI of a file of this changeset');
  if (target.kind === 'resource') return { kind: 'resource', change };
  const { start, end } = target.range;
  const isOrdered = start.line < end.line || (start.line === end.line && start.character <= end.character);
  if (start.line < 0 || start.character < 0 || end.character < 0 || !isOrdered)
    throw invalidParams(
      'params/target/range: expected a range that starts at line 0 or later and ends after its start',
    );
  const chosen = side ?? (change.after ? 'after' : 'before');
  if (!change[chosen]) throw invalidParams(`params/target/side: the file has no "${chosen}" side`);
  if (change.notFiltered !== undefined)
    throw invalidParams(
      `params/target/kind: lines of the file are not known, because its filter "${change.notFiltered}" may not run here; use "resource" for all of it`,
    );
  const hunks = await hunksOf(contents, change);
  if (!hunks) throw invalidParams('params/target/kind: the file is not text; use "resource" for all of it');
  const touched = touchedHunks(hunks, chosen, linesOf(target.range));
  if (touched.length === 0) throw invalidParams('params/target/range: expected a range that touches a change');
  return { kind: 'range', change, hunks: touched };
}

/** Whether a folder has the file that a target names. */
export function hasFile(
  changes: readonly FileChange[],
  folder: URI,
  { resource, side }: ChangesetOperationTarget,
): boolean {
  return findChange(changes, folder, resource, side) !== undefined;
}

function findChange(
  changes: readonly FileChange[],
  folder: URI,
  resource: URI,
  side: Side | undefined,
): FileChange | undefined {
  const find = (names: (version: FileVersion | undefined) => boolean) =>
    side
      ? changes.find((change) => names(change[side]))
      : (changes.find(({ after }) => names(after)) ?? changes.find(({ before }) => names(before)));
  const found = find((version) => version !== undefined && fileUriIn(folder, version.path) === resource);
  if (found) return found;
  const wanted = decoded(resource); // clients escape more or fewer characters of the same URI
  return find((version) => version !== undefined && decoded(fileUriIn(folder, version.path)) === wanted);
}

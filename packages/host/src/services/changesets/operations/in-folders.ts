import type { ChangesetOperation, ChangesetOperationTarget } from '@moorage/protocol';
import type { FolderEditor } from '../../../ports/folder-editor.js';
import type { FileChange, Workspaces } from '../../../ports/workspace.js';
import type { ChangesetService } from '../changeset-service.js';
import type { FolderSubject } from '../subject.js';
import { type Facts, operationsFor } from './catalogue.js';
import { factsOf } from './facts.js';
import { type Aim, hasFile, resolveTarget } from './target.js';

/** What a changeset has in one folder, and what can be done with it there. */
export interface InFolder {
  readonly subject: FolderSubject;
  readonly editor: FolderEditor;
  readonly changes: readonly FileChange[];
  readonly facts: Facts;
}

/** The same, with what of it an operation is about. */
export interface Aimed extends InFolder {
  readonly aim: Aim;
}

export async function lookIn(
  subject: FolderSubject,
  workspaces: Workspaces,
  changesets: ChangesetService,
): Promise<InFolder> {
  const editor = workspaces.editor(subject.folder);
  const changes = await subject.changes();
  return { subject, editor, changes, facts: await factsOf(subject, changes.length, editor, changesets) };
}

/** The folders that an operation is about, with what of each: the one of the file that is named, or all where it is possible. */
export async function aimsOf(
  operationId: string,
  target: ChangesetOperationTarget | undefined,
  all: readonly [InFolder, ...InFolder[]],
  undoneIn: (folder: string) => boolean,
): Promise<readonly [Aimed, ...Aimed[]]> {
  const [first] = all;
  if (target) {
    const at = all.find(({ changes, subject }) => hasFile(changes, subject.folderUri, target)) ?? first;
    return [{ ...at, aim: await resolveTarget(target, at.subject.folderUri, at.changes, at.editor.contents) }];
  }
  const whole = (at: InFolder): Aimed => ({ ...at, aim: { kind: 'changeset' } });
  if (all.length === 1 || OF_FIRST_FOLDER.has(operationId)) return [whole(first)];
  const concerns = ({ subject }: InFolder) => operationId !== 'undo' || undoneIn(subject.folder);
  const possible = all.filter((at) => concerns(at) && operationIn(at, operationId)?.status !== 'disabled');
  const [one = first, ...others] = possible;
  return [whole(one), ...others.map(whole)];
}

export function operationIn({ facts }: InFolder, operationId: string): ChangesetOperation | undefined {
  return operationsFor(facts).find(({ id }) => id === operationId);
}

/** Operations on branches, which are those of the session's first folder. */
const OF_FIRST_FOLDER: ReadonlySet<string> = new Set([
  'create-branch',
  'merge-back',
  'push',
  'create-pr',
  'take-along',
]);

import type { ChangesetOperation, ChangesetOperationTarget } from '@moorage/protocol';
import type { FolderEditor } from '../../../ports/folder-editor.js';
import type { FileChange, Workspaces } from '../../../ports/workspace.js';
import { baseBranchOf } from '../base-branch.js';
import type { ChangesetService } from '../changeset-service.js';
import type { OperationRecord } from '../journal.js';
import type { FolderSubject } from '../subject.js';
import { type Facts, operationsFor } from './catalogue.js';
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

export async function inFolder(
  subject: FolderSubject,
  workspaces: Workspaces,
  changesets: ChangesetService,
): Promise<InFolder> {
  const editor = workspaces.editor(subject.folder);
  const changes = await subject.changes();
  return { subject, editor, changes, facts: await factsOf(subject, changes.length, editor, changesets) };
}

/** Collects the facts for a changeset in one folder. Reads the user's repository only for the kinds whose operations depend on it. */
export async function factsOf(
  subject: FolderSubject,
  files: number,
  editor: FolderEditor,
  changesets: ChangesetService,
): Promise<Facts> {
  const { kind } = subject.selector;
  const { journal } = changesets;
  const common = {
    kind,
    files,
    undo: undoLabel(journal.last(subject.uri)),
    interrupted: journal.of(subject.uri).interrupted,
    busy: changesets.running.in(subject.workspace).length > 0,
    restorable: subject.stateAfter() !== undefined,
    stagedFiles: 0,
    repository: { git: false },
  };
  if (kind === 'branch') {
    const [repository, { baseBranch }] = await Promise.all([
      editor.repository.facts(),
      subject.workspace.describe({ freshness: 'exact', baseBranch: baseBranchOf(subject.session, subject) }),
    ]);
    return { ...common, repository, baseBranch };
  }
  // Only sessions with a work tree of their own can take changes along, so only they are looked into.
  if (kind === 'session' && subject.session.state.config?.values.isolation === 'worktree')
    return { ...common, repository: await editor.repository.facts() };
  if (kind !== 'uncommitted') return common;
  const index = await editor.index.status({ freshness: 'exact' }).catch(() => undefined);
  const git = index !== undefined || (await subject.workspace.describe({ freshness: 'exact' })).git;
  return { ...common, repository: { git }, stagedFiles: index?.staged.size ?? 0 };
}

/** What is true of a changeset in all its folders. Branches are those of the first one. */
export function joinedFacts(all: readonly [Facts, ...Facts[]]): Facts {
  const [first] = all;
  const sum = (of: 'files' | 'stagedFiles') => all.reduce((total, facts) => total + facts[of], 0);
  return {
    ...first,
    files: sum('files'),
    stagedFiles: sum('stagedFiles'),
    busy: all.some(({ busy }) => busy),
    restorable: all.some(({ restorable }) => restorable),
    ...(first.kind === 'uncommitted' && { repository: { git: all.some(({ repository }) => repository.git) } }),
  };
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

function undoLabel([record, ...others]: readonly OperationRecord[]): string | undefined {
  return record && others.length > 0 ? `${record.label} and what it did in other folders` : record?.label;
}

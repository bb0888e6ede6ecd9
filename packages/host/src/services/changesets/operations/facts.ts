import type { FolderEditor } from '../../../ports/folder-editor.js';
import { baseBranchOf } from '../base-branch.js';
import type { ChangesetService } from '../changeset-service.js';
import type { OperationRecord } from '../journal.js';
import type { FolderSubject } from '../subject.js';
import type { Facts } from './catalogue.js';

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
    busy: changesets.turns.runningIn(subject.workspace).length > 0,
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

function undoLabel([record, ...others]: readonly OperationRecord[]): string | undefined {
  return record && others.length > 0 ? `${record.label} and what it did in other folders` : record?.label;
}

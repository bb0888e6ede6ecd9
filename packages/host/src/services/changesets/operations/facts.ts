import type { FolderEditor } from '../../../ports/folder-editor.js';
import { baseBranchOf } from '../base-branch.js';
import type { ChangesetService } from '../changeset-service.js';
import type { Subject } from '../subject.js';
import type { Facts } from './catalogue.js';

/** Collects the facts for a changeset. Reads the user's repository only for the kinds whose operations depend on it. */
export async function factsOf(
  subject: Subject,
  files: number,
  editor: FolderEditor,
  changesets: ChangesetService,
): Promise<Facts> {
  const { kind } = subject.selector;
  const { journal } = changesets;
  const common = {
    kind,
    files,
    undo: journal.last(subject.uri)?.label,
    interrupted: journal.of(subject.uri).interrupted,
    busy: changesets.turns.runningIn(subject.workspace).length > 0,
    restorable: subject.stateAfter() !== undefined,
    stagedFiles: 0,
    repository: { git: false },
  };
  if (kind === 'branch') {
    const [repository, { baseBranch }] = await Promise.all([
      editor.repository.facts(),
      subject.workspace.describe({ freshness: 'exact', baseBranch: baseBranchOf(subject.session) }),
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

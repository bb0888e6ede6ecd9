import { type Changeset, changesetTemplate, type URI } from '@moorage/protocol';
import type { FileChange, WorkspaceInfo } from '../../ports/workspace.js';

/** The changesets that a session offers. Without a repository there is no base branch, and so no branch changeset. */
export function catalogue(session: URI, about: WorkspaceInfo, changes?: readonly FileChange[]): Changeset[] {
  const entry = (kind: Parameters<typeof changesetTemplate>[1], label: string, description: string): Changeset => ({
    label,
    uriTemplate: changesetTemplate(session, kind),
    description,
    changeKind: kind,
    capabilities: { review: {} },
  });
  const uncommitted = about.git ? 'What has not been committed' : 'What changed since the session started';
  return [
    { ...entry('session', 'Session', describeSession(about, changes)), ...(changes && counts(changes)) },
    entry('uncommitted', 'Uncommitted', uncommitted),
    ...(about.baseBranch
      ? [entry('branch', `Branch (against ${about.baseBranch})`, `Everything since ${about.baseBranch}`)]
      : []),
    entry('turn', 'Turn', 'What one turn changed'),
    entry('compare-turns', 'Compare turns', 'What changed between two turns'),
  ];
}

/** The host keeps a bounded amount of content, so users are told how much it keeps and how many files it left out. */
function describeSession({ keptBytes, problem }: WorkspaceInfo, changes: readonly FileChange[] = []): string {
  const leftOut = changes.filter(({ before, after }) => before?.notKept || after?.notKept).length;
  const kept = `Contents kept for this folder: ${Math.ceil(keptBytes / MEGABYTE)} MB.`;
  const without = leftOut === 0 ? '' : ` Not kept for ${leftOut} of the files, which are too large or cannot be read.`;
  const trouble = problem === undefined ? '' : `${problem} `;
  return `${trouble}Everything that the turns of this session changed. ${kept}${without}`;
}

const MEGABYTE = 1024 * 1024;

function counts(changes: readonly FileChange[]): Pick<Changeset, 'additions' | 'deletions' | 'files'> {
  const sum = (of: 'added' | 'removed') => changes.reduce((total, change) => total + (change[of] ?? 0), 0);
  return { additions: sum('added'), deletions: sum('removed'), files: changes.length };
}

import { type Changeset, type ChangesetKind, changesetTemplate, changesetUri, type URI } from '@moorage/protocol';
import type { FileChange, WorkspaceInfo } from '../../ports/workspace.js';

/** How much a changeset has. */
export type Counts = Pick<Changeset, 'additions' | 'deletions' | 'files'>;

/** The changesets that a session offers. Without a repository there is no base branch, and so no branch changeset. */
export function catalogue(
  session: URI,
  about: WorkspaceInfo,
  changes?: readonly FileChange[],
  elsewhere: readonly FileChange[] = [],
): Changeset[] {
  const entry = (kind: ChangesetKind, label: string, description: string) =>
    entryFor(kind, changesetTemplate(session, kind), label, description);
  const uncommitted = about.git ? 'What has not been committed' : 'What changed since the session started';
  return [
    { ...entry('session', 'Session', describeSession(about, changes)), ...(changes && countsOf(changes)) },
    entry('uncommitted', 'Uncommitted', uncommitted),
    ...(about.baseBranch
      ? [entry('branch', `Branch (against ${about.baseBranch})`, `Everything since ${about.baseBranch}`)]
      : []),
    entry('turn', 'Turn', 'What one turn changed'),
    entry('compare-turns', 'Compare turns', 'What changed between two turns'),
    ...(elsewhere.length > 0 ? [elsewhereEntry(session, elsewhere)] : []),
  ];
}

/** Nothing can be done with it, so it offers no marks either. */
export function elsewhereEntry(session: URI, changes: readonly FileChange[]): Changeset {
  const about =
    'Ignored files, nested repositories and files outside the folder that agents said they edited, or the host saw change. ' +
    'There may be more.';
  const { capabilities: _, ...entry } = entryFor(
    'elsewhere',
    changesetTemplate(session, 'elsewhere'),
    'Elsewhere',
    about,
  );
  return { ...entry, ...countsOf(changes) };
}

/** The changesets that a chat offers: what all of its turns changed, and each of them. */
export function chatCatalogue(session: URI, chat: URI, counts: Counts): Changeset[] {
  const uri = changesetUri(session, { kind: 'chat', chat });
  return [
    { ...entryFor('chat', uri, 'Chat', 'Everything that the turns of this chat changed'), ...counts },
    entryFor('turn', changesetTemplate(session, 'turn'), 'Turn', 'What one turn changed'),
  ];
}

function entryFor(changeKind: ChangesetKind, uriTemplate: string, label: string, description: string): Changeset {
  return { label, uriTemplate, description, changeKind, capabilities: { review: {} } };
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

/** What is true of several folders together. The base branch is that of the first one that has one. */
export function joinedInfo(infos: readonly WorkspaceInfo[], problem: string | undefined): WorkspaceInfo {
  const problems = [...infos.map((info) => info.problem), problem].filter((one) => one !== undefined);
  const baseBranch = infos.find((info) => info.baseBranch !== undefined)?.baseBranch;
  return {
    git: infos.some(({ git }) => git),
    keptBytes: infos.reduce((sum, { keptBytes }) => sum + keptBytes, 0),
    ...(baseBranch !== undefined && { baseBranch }),
    ...(problems.length > 0 && { problem: problems.join(' ') }),
  };
}

export function sumOf(all: readonly Counts[]): Counts {
  const sum = (of: 'additions' | 'deletions' | 'files') => all.reduce((total, counts) => total + (counts[of] ?? 0), 0);
  return { additions: sum('additions'), deletions: sum('deletions'), files: sum('files') };
}

export function countsOf(changes: readonly FileChange[]): Counts {
  const sum = (of: 'added' | 'removed') => changes.reduce((total, change) => total + (change[of] ?? 0), 0);
  return { additions: sum('added'), deletions: sum('removed'), files: changes.length };
}

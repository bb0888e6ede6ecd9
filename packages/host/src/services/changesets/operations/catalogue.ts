import type { ChangesetKind, ChangesetOperation } from '@moorage/protocol';
import type { RepositoryFacts } from '../../../ports/user-repository.js';
import type { ChannelOperations } from '../journal.js';
import { fileCount } from '../words.js';

/** What decides which operations are possible now. */
export interface Facts {
  readonly kind: ChangesetKind;
  readonly files: number;
  /** The label of the operation that an undo would take back. */
  readonly undo?: string | undefined;
  readonly interrupted?: ChannelOperations['interrupted'];
  /** A turn runs in the folder. */
  readonly busy: boolean;
  /** The state after the turn is known. */
  readonly restorable: boolean;
  readonly stagedFiles: number;
  readonly repository: RepositoryFacts;
  readonly baseBranch?: string | undefined;
}

interface Offer extends Omit<ChangesetOperation, 'status' | 'error' | 'confirmation'> {
  readonly description: string;
  readonly kinds: readonly ChangesetKind[];
  readonly confirmation?: string | ((facts: Facts) => string);
  /** Why the operation is not possible now; undefined if it is. */
  disabled(facts: Facts): string | undefined;
}

const EVERY_KIND: readonly ChangesetKind[] = ['turn', 'chat', 'session', 'compare-turns', 'branch', 'uncommitted'];

const OFFERS: readonly Offer[] = [
  {
    id: 'revert',
    label: 'Revert',
    description: 'Takes the change back; later work on the same files is left alone.',
    scopes: ['changeset', 'resource', 'range'],
    confirmation: 'Take this change back? Undo brings it back.',
    icon: 'discard',
    group: 'changes',
    kinds: EVERY_KIND,
    disabled: needsFiles,
  },
  {
    id: 'revert-since',
    label: 'Revert from a turn on',
    description: 'Takes back what a turn and the later ones of this chat changed; what others did stays.',
    scopes: ['changeset'],
    confirmation: 'Take back what this turn and the later ones changed? Undo brings it back.',
    icon: 'discard',
    group: 'changes',
    kinds: ['chat'],
    disabled: () => undefined,
  },
  {
    id: 'restore',
    label: 'Restore',
    description: 'Brings the folder back to how it was after this turn.',
    scopes: ['changeset'],
    confirmation:
      'Bring all files back to how they were after this turn? Everything done since is removed; Undo brings it back.',
    icon: 'history',
    group: 'changes',
    kinds: ['turn'],
    disabled: ({ busy, restorable }) => {
      if (busy) return 'A turn is at work in this folder.';
      return restorable ? undefined : 'The state of the files after this turn is not known.';
    },
  },
  {
    id: 'undo',
    label: 'Undo',
    description: 'Takes back the last operation on this changeset.',
    scopes: ['changeset'],
    icon: 'undo',
    group: 'changes',
    kinds: [...EVERY_KIND, 'commit'],
    disabled: ({ undo }) => (undo === undefined ? 'There is nothing to undo.' : undefined),
  },
  {
    id: 'stage',
    label: 'Stage',
    description: 'Puts the change into the index, for the next commit.',
    scopes: ['changeset', 'resource', 'range'],
    icon: 'add',
    group: 'commit',
    kinds: ['uncommitted'],
    disabled: (facts) => needsGit(facts) ?? needsFiles(facts),
  },
  {
    id: 'unstage',
    label: 'Unstage',
    description: 'Takes the change out of the index; the files stay as they are.',
    scopes: ['changeset', 'resource', 'range'],
    icon: 'remove',
    group: 'commit',
    kinds: ['uncommitted'],
    disabled: (facts) => needsGit(facts) ?? (facts.stagedFiles === 0 ? 'Nothing is staged.' : undefined),
  },
  {
    id: 'commit',
    label: 'Commit',
    description: 'Commits what is staged, or else what this session changed.',
    scopes: ['changeset'],
    confirmation: ({ stagedFiles }) =>
      stagedFiles > 0
        ? `Commit what is staged: ${fileCount(stagedFiles)}?`
        : 'Nothing is staged. Commit what this session changed?',
    icon: 'git-commit',
    group: 'commit',
    kinds: ['uncommitted'],
    disabled: (facts) => needsGit(facts) ?? (facts.stagedFiles === 0 ? needsFiles(facts) : undefined),
  },
  {
    id: 'fixup',
    label: 'Put into an earlier commit',
    description: 'Makes the change part of an earlier commit that was not pushed; the commits since are made again.',
    scopes: ['resource', 'range'],
    confirmation: 'Put this change into an earlier commit? The commits since are made again; Undo brings them back.',
    icon: 'git-commit',
    group: 'commit',
    kinds: ['uncommitted'],
    disabled: (facts) => needsGit(facts) ?? needsFiles(facts),
  },
  {
    id: 'split',
    label: 'Split the commit',
    description: 'Makes a commit of its own, before the rest, of what is chosen of a commit that was not pushed.',
    scopes: ['changeset', 'resource', 'range'],
    confirmation: 'Split this commit? The commits since are made again; Undo brings them back.',
    icon: 'git-commit',
    group: 'commit',
    kinds: ['commit'],
    disabled: ({ files }) =>
      files === 0 ? 'There is no such commit here, or it changes nothing in this folder.' : undefined,
  },
  {
    id: 'open-diff',
    label: 'Open as patch',
    description: 'Shows the change as one unified patch.',
    scopes: ['changeset', 'resource'],
    icon: 'diff',
    group: 'review',
    kinds: [...EVERY_KIND, 'commit'],
    disabled: needsFiles,
  },
  {
    id: 'keep',
    label: 'Mark as viewed',
    description: 'Marks the change as viewed; it changes no file.',
    scopes: ['changeset', 'resource', 'range'],
    icon: 'check',
    group: 'review',
    kinds: EVERY_KIND,
    disabled: needsFiles,
  },
  {
    id: 'take-along',
    label: 'Take along',
    description: "Makes the same change in the repository's main work tree; it can be undone there.",
    scopes: ['changeset', 'resource', 'range'],
    icon: 'arrow-right',
    group: 'changes',
    kinds: ['session', 'branch'],
    disabled: (facts) =>
      facts.repository.linked ? needsFiles(facts) : 'The session does not work in a work tree of its own.',
  },
  {
    id: 'create-branch',
    label: 'Create branch',
    description: 'Creates a branch named after the session and checks it out.',
    scopes: ['changeset'],
    icon: 'git-branch',
    group: 'branch',
    kinds: ['branch'],
    disabled: (facts) => needsGit(facts) ?? needsCommit(facts),
  },
  {
    id: 'merge-back',
    label: 'Merge back',
    description: 'Merges the branch of this work tree into its base branch.',
    scopes: ['changeset'],
    icon: 'git-merge',
    group: 'branch',
    kinds: ['branch'],
    disabled: (facts) => {
      const { linked, branch, dirty } = facts.repository;
      const missing = needsGit(facts) ?? needsCommit(facts) ?? needsBase(facts);
      if (missing) return missing;
      if (!linked) return 'The session does not work in a work tree of its own.';
      if (branch === undefined) return 'No branch is checked out.';
      return dirty ? 'There are changes that are not committed.' : undefined;
    },
  },
  {
    id: 'push',
    label: 'Push',
    description: 'Pushes the current branch.',
    scopes: ['changeset'],
    icon: 'repo-push',
    group: 'branch',
    kinds: ['branch'],
    disabled: needsRemote,
  },
  {
    id: 'create-pr',
    label: 'Create pull request',
    description: 'Pushes the current branch and opens a pull request for it, or updates the one that is open.',
    scopes: ['changeset'],
    icon: 'git-pull-request',
    group: 'branch',
    kinds: ['branch'],
    disabled: (facts) => {
      const { forge, branch } = facts.repository;
      const missing = needsRemote(facts) ?? needsBase(facts);
      if (missing) return missing;
      if (isBase(branch, facts.baseBranch)) return `${branch} is the base branch; create a branch first.`;
      return !forge || 'missing' in forge ? sentence(forge?.missing ?? 'the remote has no address') : undefined;
    },
  },
];

/** Operations that need more than a target: a commit, a message, or a turn. */
const NOT_LISTED: ReadonlySet<string> = new Set(['fixup', 'split', 'revert-since']);

/** The operations that clients are told of: those that can be invoked without more than a target. */
export function listedOperations(facts: Facts): ChangesetOperation[] {
  return operationsFor(facts).filter(({ id }) => !NOT_LISTED.has(id));
}

/** The operations of a changeset. Those that are not possible now are disabled, and their description says why. */
export function operationsFor(facts: Facts): ChangesetOperation[] {
  return OFFERS.filter(({ kinds }) => kinds.includes(facts.kind)).map(
    ({ kinds: _, disabled, confirmation, ...offer }) => {
      const { interrupted } = facts;
      const ended = interrupted?.operationId === offer.id ? interrupted.outcome : undefined;
      const reason = disabled(facts);
      const text = reason ?? (offer.id === 'undo' ? `Takes back ${facts.undo}.` : offer.description);
      const description = ended ? `${text} ${INTERRUPTED[ended]}` : text;
      const question = typeof confirmation === 'function' ? confirmation(facts) : confirmation;
      const operation = {
        ...offer,
        ...(question !== undefined && { confirmation: question }),
        scopes: [...offer.scopes],
        description,
      };
      if (reason !== undefined) return { ...operation, status: 'disabled' };
      if (ended !== 'rolledBack') return { ...operation, status: 'idle' };
      return {
        ...operation,
        status: 'error',
        error: { errorType: 'operationInterrupted', message: INTERRUPTED[ended] },
      };
    },
  );
}

const INTERRUPTED = {
  finished: 'The last one was cut off when the host stopped, and was finished when it started again.',
  rolledBack: 'It was cut off when the host stopped; what it had done was put back.',
};

function needsFiles({ files }: Facts): string | undefined {
  return files === 0 ? 'There are no changes.' : undefined;
}

function needsGit({ repository }: Facts): string | undefined {
  return repository.git ? undefined : 'This folder is not a git repository.';
}

function needsCommit({ repository }: Facts): string | undefined {
  return repository.hasCommit ? undefined : 'There is no commit yet.';
}

function needsBase({ baseBranch }: Facts): string | undefined {
  return baseBranch === undefined ? 'There is no base branch.' : undefined;
}

function needsRemote(facts: Facts): string | undefined {
  const { branch, remote } = facts.repository;
  const missing = needsGit(facts) ?? needsCommit(facts);
  if (missing) return missing;
  if (remote === undefined) return 'The repository has no remote.';
  return branch === undefined ? 'No branch is checked out.' : undefined;
}

function isBase(branch: string | undefined, base: string | undefined): boolean {
  return branch !== undefined && base?.replace(/^origin\//, '') === branch;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

import type { ChangesetFile, InvokeChangesetOperationResult } from '@moorage/protocol';
import type { EditStep, FolderEditor } from '../../../ports/folder-editor.js';
import type { FileChange } from '../../../ports/workspace.js';
import type { HostContext } from '../../context.js';
import type { ChangesetService } from '../changeset-service.js';
import type { CommitMove, IndexStep, OperationJournal, StepElsewhere, ViewChange } from '../journal.js';
import type { FolderSubject } from '../subject.js';
import type { Reversal } from '../three-way.js';
import type { PartsByPath } from '../undo-history.js';
import type { CommitWishes } from './commit-wishes.js';
import type { PullRequestText } from './pull-request-wishes.js';
import type { Part } from './split.js';
import type { Aim } from './target.js';

/** One invocation of an operation in one folder, with everything needed to run it. */
export interface Job {
  readonly operationId: string;
  readonly subject: FolderSubject;
  readonly aim: Aim;
  /** The files of the changeset as its watchers saw them when the operation was invoked. */
  readonly shown: readonly ChangesetFile[];
  /** What the client asks of a commit. */
  readonly wishes?: CommitWishes;
  /** The commit that a change shall go into. */
  readonly commit?: string;
  /** The files and hunks that a commit is split by. */
  readonly parts?: readonly Part[];
  /** The turn from which on changes are taken back. */
  readonly turn?: string;
  /** What the client asks of a pull request. */
  readonly pullRequest?: PullRequestText;
  /** All changes of the changeset in this folder. */
  readonly changes: readonly FileChange[];
  readonly editor: FolderEditor;
  readonly context: HostContext;
  readonly changesets: ChangesetService;
  readonly journal: OperationJournal;
  /** Changes files or the index in a way that can be undone. Resolves when the change is made and stored. */
  perform(plan: Plan): Promise<void>;
  /** The same in another folder, once everything that was invoked there before is done. */
  elsewhere(folder: string, plan: (editor: FolderEditor) => Promise<Plan>): Promise<void>;
}

/** What an operation is going to change. */
export interface Plan {
  /** What the operation does, for people: "the revert of a.txt". */
  readonly label: string;
  /** The changes to take back, file by file. */
  readonly reversals?: readonly Reversal[];
  /** Steps that are planned already, instead of reversals. */
  readonly steps?: readonly EditStep[];
  readonly index?: readonly IndexStep[];
  readonly view?: readonly ViewChange[];
  /** Moves the branch: by a commit, or by taking one back. */
  readonly head?: PlannedMove;
  /** The id of the operation that this one undoes. */
  readonly undoes?: string;
  /** What of that operation. */
  readonly covers?: PartsByPath;
  /** The steps of the same operation in other folders. */
  readonly with?: readonly StepElsewhere[];
}

export interface PlannedMove {
  readonly move: CommitMove;
  /** Whether the index is changed before the branch is moved, or after it. */
  readonly index: 'before' | 'after';
  /** Moves it, for the operation with this id. Resolves with where it went, and what to call that. */
  run(operation: string): Promise<{ readonly move: CommitMove; readonly label: string }>;
}

export type Runner = (job: Job) => Promise<InvokeChangesetOperationResult>;

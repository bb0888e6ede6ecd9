import type { InvokeChangesetOperationResult } from '@ahpd/protocol';
import type { FolderEditor } from '../../../ports/folder-editor.js';
import type { FileChange } from '../../../ports/workspace.js';
import type { HostContext } from '../../context.js';
import type { ChangesetService } from '../changeset-service.js';
import type { IndexStep, OperationJournal, ViewChange } from '../journal.js';
import type { Subject } from '../subject.js';
import type { Reversal } from '../three-way.js';
import type { Aim } from './target.js';

/** One invocation: what is asked for, and everything that doing it needs. */
export interface Job {
  readonly operationId: string;
  readonly subject: Subject;
  readonly aim: Aim;
  /** All changes of the changeset. */
  readonly changes: readonly FileChange[];
  readonly editor: FolderEditor;
  readonly context: HostContext;
  readonly changesets: ChangesetService;
  readonly journal: OperationJournal;
  /** Does what changes files or the index, so that it can be undone; resolves when it is done and stored. */
  perform(plan: Plan): Promise<void>;
}

/** What an operation is going to change. */
export interface Plan {
  /** What it does, for people: "the revert of a.txt". */
  readonly label: string;
  /** Files: from what the changeset says to what should be. */
  readonly reversals?: readonly Reversal[];
  readonly index?: readonly IndexStep[];
  readonly view?: readonly ViewChange[];
  /** The id of the operation that it takes back. */
  readonly undoes?: string;
}

export type Runner = (job: Job) => Promise<InvokeChangesetOperationResult>;

import {
  type InvokeChangesetOperationParams,
  type InvokeChangesetOperationResult,
  JsonRpcErrorCodes,
  RpcError,
  type URI,
} from '@moorage/protocol';
import type { Committed } from '../../../core/committed.js';
import type { Subscriber } from '../../../core/delivery.js';
import { invalidParams, invalidRequest, notFound } from '../../../core/errors.js';
import { FolderEditError, type FolderEditor } from '../../../ports/folder-editor.js';
import { FolderError } from '../../../ports/folders.js';
import { StoreError } from '../../../ports/store.js';
import { WorkspaceError, type Workspaces } from '../../../ports/workspace.js';
import { KeyedQueue } from '../../../queues/keyed-queue.js';
import type { HostContext } from '../../context.js';
import type { ChangesetService } from '../changeset-service.js';
import type { OperationRecord } from '../journal.js';
import { MAX_WAITING } from '../limits.js';
import { OperationRefused } from '../refused.js';
import type { Subject } from '../subject.js';
import { OperationBoard } from './board.js';
import { operationsFor } from './catalogue.js';
import { commitWishes } from './commit-wishes.js';
import { factsOf } from './facts.js';
import type { Job, Plan } from './job.js';
import { type Ground, perform } from './perform.js';
import { pullRequestText } from './pull-request-wishes.js';
import { settleInterrupted } from './recovery.js';
import { keepReviewMarks } from './review-marks.js';
import { RUNNERS } from './runners.js';
import { describeSession } from './session-text.js';
import { checkScope, resolveTarget } from './target.js';

/** The client that asks for an operation. */
export type Asker = Pick<Subscriber, 'clientId' | 'program'>;

/** Runs the operations that clients invoke on changesets: checked, one at a time per folder, and never half done. */
export class OperationService {
  readonly board: OperationBoard;
  readonly #context: HostContext;
  readonly #changesets: ChangesetService;
  readonly #workspaces: Workspaces;
  readonly #queue = new KeyedQueue();
  /** Unanswered invocations, by what they ask for. The same invocation again gets the same answer. */
  readonly #inFlight = new Map<string, Promise<InvokeChangesetOperationResult>>();

  constructor(context: HostContext, changesets: ChangesetService, workspaces: Workspaces) {
    this.#context = context;
    this.#changesets = changesets;
    this.#workspaces = workspaces;
    this.board = new OperationBoard(context, changesets, workspaces);
  }

  onReviewChanged({ channel, action }: Committed<'changeset'>): void {
    if (action.type === 'changeset/filesReviewChanged') this.#reviewChanged(channel.uri, action);
  }

  /** Settles operations that a crash interrupted, before anything else is done or recorded in their folders. */
  settleAfterRestart(): void {
    for (const folder of new Set(this.#changesets.journal.unfinished().map((record) => record.folder))) {
      const settling = this.#settle(folder);
      void this.#queue.run(folder, () => settling);
    }
  }

  /** Resolves when everything invoked so far is done. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  invoke(params: InvokeChangesetOperationParams, asker: Asker): Promise<InvokeChangesetOperationResult> {
    const { channel, operationId, target, _meta } = params;
    const subject = this.#subject(channel);
    if (!subject) throw notFound(channel);
    const key = JSON.stringify([subject.uri, operationId, target ?? null, _meta ?? null]);
    const same = this.#inFlight.get(key);
    if (same) return same;
    const result = this.inTurn(subject.folder, () => this.#run(subject, params, asker)).finally(() =>
      this.#inFlight.delete(key),
    );
    this.#inFlight.set(key, result);
    return result;
  }

  /** A message for a commit, from the conversation. The place to ask an agent for one, once agents can be asked. */
  suggestMessage(channel: URI): { message: string } {
    const subject = this.#subject(channel);
    if (!subject) throw notFound(channel);
    return { message: describeSession(subject.session.state, this.#context.door).message };
  }

  /** Runs something that changes a folder, after everything that was invoked there before. */
  inTurn<T>(folder: string, work: () => Promise<T>): Promise<T> {
    if (this.#queue.waitingFor(folder) >= MAX_WAITING)
      throw invalidRequest('too many operations are waiting for this folder; try again when they are done');
    return this.#queue.run(folder, async () => {
      await this.#settle(folder);
      return work();
    });
  }

  #reviewChanged(channel: URI, action: Parameters<typeof keepReviewMarks>[0]): void {
    const subject = this.#changesets.subject(channel);
    if (!subject) return;
    void this.#queue
      .run(subject.folder, () => keepReviewMarks(action, subject, this.#changesets, this.#workspaces))
      .catch((error: unknown) => {
        this.#context.log.write('error', 'review.store-failed', 'storing review marks failed', {
          channel,
          error: String(error),
        });
      });
  }

  #subject(channel: URI): Subject | undefined {
    try {
      return this.#changesets.subject(channel);
    } catch (error) {
      throw toRpcError(error); // the folder is gone
    }
  }

  async #run(
    subject: Subject,
    params: InvokeChangesetOperationParams,
    asker: Asker,
  ): Promise<InvokeChangesetOperationResult> {
    const { channel, operationId } = params;
    const run = await this.#check(subject, params, asker).catch((error: unknown) => {
      throw toRpcError(error);
    });
    this.board.started(channel, operationId);
    try {
      const result = await run();
      this.board.ended(channel, operationId);
      return result;
    } catch (error) {
      const failure = toRpcError(error);
      if (failure.code === JsonRpcErrorCodes.InternalError && !isExpected(error))
        this.#context.log.write('error', 'operation.failed', 'an operation on changes failed', {
          operationId,
          error: String(error),
        });
      this.board.ended(channel, operationId, { errorType: 'operationFailed', message: failure.message });
      throw failure;
    }
  }

  /** Finds everything wrong with an invocation before clients see its status. Returns the function that runs it. */
  async #check(
    subject: Subject,
    { operationId, target, _meta = {} }: InvokeChangesetOperationParams,
    { clientId, program }: Asker,
  ): Promise<() => Promise<InvokeChangesetOperationResult>> {
    const editor = this.#workspaces.editor(subject.folder);
    const changes = await subject.changes();
    const operations = operationsFor(await factsOf(subject, changes.length, editor, this.#changesets));
    const operation = operations.find(({ id }) => id === operationId);
    const runner = RUNNERS[operationId];
    if (!operation || !runner)
      throw invalidParams(`params/operationId: this changeset has no operation "${operationId}"`);
    checkScope(operation, target);
    if (operation.status === 'disabled')
      throw invalidRequest(`"${operationId}" cannot be used now: ${operation.description}`);
    const wishes = operationId === 'commit' ? commitWishes(_meta) : undefined;
    const pullRequest = operationId === 'create-pr' ? pullRequestText(_meta) : undefined;
    const aim = await resolveTarget(target, subject.folderUri, changes, editor.contents);
    const { journal } = this.#changesets;
    const job: Job = {
      operationId,
      subject,
      aim,
      ...(wishes && { wishes }),
      ...(pullRequest && { pullRequest }),
      changes,
      editor,
      journal,
      context: this.#context,
      changesets: this.#changesets,
      elsewhere: (folder, plan) => this.#elsewhere(job, folder, plan, { clientId, program }),
      perform: (plan) => perform(ground, this.#context.ids.next(), plan),
    };
    const { folder, workspace, session } = subject;
    const ground: Ground = {
      folder,
      workspace,
      editor,
      changesets: this.#changesets,
      operationId,
      channel: subject.uri,
      session: session.uri,
      at: this.#context.clock.now(),
      by: { client: clientId, program, sessionTitle: session.state.title },
    };
    return () => runner(job);
  }

  /** Changes another folder than the changeset's, as a step of that folder's history. */
  #elsewhere(
    { operationId, subject }: Job,
    folder: string,
    plan: (editor: FolderEditor) => Promise<Plan>,
    { clientId, program }: Asker,
  ): Promise<void> {
    const editor = this.#workspaces.editor(folder);
    const { ids, clock } = this.#context;
    const workspace = this.#workspaces.open(folder);
    return this.inTurn(folder, async () => {
      await workspace.checkpoint({ freshness: 'exact' }); // makes the folder's store, if no session has worked there yet
      const ground: Ground = {
        folder,
        workspace,
        editor,
        changesets: this.#changesets,
        operationId,
        at: clock.now(),
        by: { client: clientId, program, sessionTitle: subject.session.state.title },
      };
      await perform(ground, ids.next(), await plan(editor));
    });
  }

  async #settle(folder: string): Promise<void> {
    const interrupted = this.#changesets.journal.unfinished().filter((record) => record.folder === folder);
    if (interrupted.length === 0) return;
    const workspace = this.#workspaces.open(folder);
    await workspace.betweenCheckpoints(async () => {
      const operated = (finished: OperationRecord) =>
        this.#changesets.turns.operated(workspace, finished.session, finished);
      for (const record of interrupted) await this.#settleOne(record, operated);
    });
    for (const session of new Set(interrupted.map((record) => record.session)))
      await this.#changesets.changed(workspace, session);
    this.board.refreshAll();
  }

  async #settleOne(record: OperationRecord, operated: (finished: OperationRecord) => Promise<void>): Promise<void> {
    const { folder, operationId: operation } = record;
    const { journal } = this.#changesets;
    try {
      const editor = this.#workspaces.editor(folder);
      const finished = await settleInterrupted(editor, record);
      if (finished) await operated(finished);
      if (finished) journal.done(finished, [], 'finished');
      else journal.dropped(record, 'rolledBack');
      if (finished?.operationId === 'commit') journal.committed(finished);
      this.#context.log.write('warn', 'operation.recovered', 'an interrupted operation was finished or undone', {
        operation,
        folder,
        outcome: finished ? 'finished' : 'rolledBack',
      });
    } catch (cause) {
      const fields = { operation, folder, error: String(cause) };
      this.#context.log.write(
        'warn',
        'operation.not-recovered',
        'an interrupted operation cannot be finished or undone yet',
        fields,
      );
    }
  }
}

/** The error for the client: what is wrong with the request, or why the operation failed. */
export function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  const message = isExpected(error) ? (error as Error).message : 'The operation failed; nothing was changed.';
  return new RpcError(JsonRpcErrorCodes.InternalError, message, { cause: error });
}

function isExpected(error: unknown): boolean {
  return (
    error instanceof OperationRefused ||
    error instanceof FolderError ||
    error instanceof FolderEditError ||
    error instanceof WorkspaceError ||
    error instanceof StoreError
  );
}

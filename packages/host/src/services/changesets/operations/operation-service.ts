import {
  type ChangesetFile,
  type ChangesetOperation,
  ExtensionMeta,
  type InvokeChangesetOperationParams,
  type InvokeChangesetOperationResult,
  JsonRpcErrorCodes,
  RpcError,
  type URI,
} from '@moorage/protocol';
import type { Committed } from '../../../core/committed.js';
import type { Subscriber } from '../../../core/delivery.js';
import { invalidParams, invalidRequest, notFound } from '../../../core/errors.js';
import type { Handler } from '../../../core/handler.js';
import { FolderEditError, type FolderEditor } from '../../../ports/folder-editor.js';
import { FolderError } from '../../../ports/folders.js';
import { nameOf } from '../../../ports/people.js';
import { StoreError } from '../../../ports/store.js';
import { type Workspace, WorkspaceError, type Workspaces } from '../../../ports/workspace.js';
import { KeyedQueue } from '../../../queues/keyed-queue.js';
import type { HostContext } from '../../context.js';
import type { ChangesetService } from '../changeset-service.js';
import type { Author, OperationRecord } from '../journal.js';
import { MAX_WAITING } from '../limits.js';
import { OperationRefused } from '../refused.js';
import type { FolderSubject, Subject } from '../subject.js';
import { undoneState } from '../undo-history.js';
import { OperationBoard } from './board.js';
import { operationsFor } from './catalogue.js';
import { commitName, commitWishes } from './commit-wishes.js';
import { type Aimed, aimsOf, inFolder, joinedFacts, operationIn } from './in-folders.js';
import type { Job, Plan, Runner } from './job.js';
import { openDiffOfAll } from './open-diff.js';
import { type Ground, perform } from './perform.js';
import { pullRequestText } from './pull-request-wishes.js';
import { settleInterrupted } from './recovery.js';
import { turnToRevert } from './revert-since.js';
import { keepReviewMarks, type ReviewChanged } from './review-marks.js';
import { RUNNERS } from './runners.js';
import { describeSession } from './session-text.js';
import { partsToSplit } from './split.js';
import { checkScope } from './target.js';
import { performTogether, runTogether, takeBack } from './together.js';

/** The client that asks for an operation. */
export type Asker = Pick<Subscriber, 'clientId' | 'program' | 'credential'>;

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

  onReviewChanged({ channel, action, before }: Committed<'changeset'>): void {
    if (action.type === 'changeset/filesReviewChanged') this.#reviewChanged(channel.uri, action, before.files);
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

  readonly invoke: Handler<'invokeChangesetOperation', Asker> = (params, asker) => {
    const { channel, operationId, target, _meta } = params;
    const subject = this.#subject(channel);
    if (!subject) throw notFound(channel);
    const key = JSON.stringify([subject.uri, operationId, target ?? null, _meta ?? null]);
    const same = this.#inFlight.get(key);
    if (same) return same;
    const shown = this.#changesets.shownFiles(subject.uri); // later there may be others
    const run = () => this.#run(subject, params, asker, shown);
    const folders = this.#folders(subject).map(({ folder }) => folder);
    const mayNeedOthers = operationId === 'take-along';
    const result = this.inTurn(folders, run, mayNeedOthers).finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, result);
    return result;
  };

  /** A message for a commit, from the conversation. The place to ask an agent for one, once agents can be asked. */
  suggestMessage(channel: URI): { message: string } {
    const subject = this.#subject(channel);
    if (!subject) throw notFound(channel);
    return { message: describeSession(subject.session.state, this.#context.door).message };
  }

  /**
   * Runs something that changes folders, after everything that was invoked there before. Of all that hold a folder while
   * they wait for another, one runs at a time: two of them could wait for each other.
   */
  inTurn<T>(folders: readonly string[], work: () => Promise<T>, mayNeedOthers = false): Promise<T> {
    const keys = folders.length > 1 || mayNeedOthers ? [SEVERAL_FOLDERS, ...folders] : folders;
    if (keys.some((key) => this.#queue.waitingFor(key) >= MAX_WAITING))
      throw invalidRequest('too many operations are waiting for this folder; try again when they are done');
    const run = () => this.#inAll(folders, work);
    return keys === folders ? run() : this.#queue.run(SEVERAL_FOLDERS, run);
  }

  #inAll<T>([folder, ...others]: readonly string[], work: () => Promise<T>): Promise<T> {
    if (folder === undefined) return work();
    return this.#queue.run(folder, async () => {
      await this.#settle(folder);
      return this.#inAll(others, work);
    });
  }

  #reviewChanged(channel: URI, ...what: [action: ReviewChanged, shown: readonly ChangesetFile[]]): void {
    const keep = (subject: FolderSubject) =>
      this.#queue.run(subject.folder, () => keepReviewMarks(...what, subject, this.#changesets, this.#workspaces));
    for (const subject of this.#changesets.subject(channel)?.folders() ?? [])
      void keep(subject).catch((error: unknown) => {
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

  #folders(subject: Subject): FolderSubject[] {
    try {
      return subject.folders();
    } catch (error) {
      throw toRpcError(error); // the first folder is gone
    }
  }

  async #run(
    subject: Subject,
    params: InvokeChangesetOperationParams,
    asker: Asker,
    shown: Job['shown'],
  ): Promise<InvokeChangesetOperationResult> {
    const { channel, operationId } = params;
    const run = await this.#check(subject, params, asker, shown).catch((error: unknown) => {
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
    { clientId, program, credential }: Asker,
    shown: Job['shown'],
  ): Promise<() => Promise<InvokeChangesetOperationResult>> {
    const [first, ...others] = await Promise.all(
      this.#folders(subject).map((folder) => inFolder(folder, this.#workspaces, this.#changesets)),
    );
    if (!first) throw notFound(subject.uri);
    const operation = operationsFor(joinedFacts([first.facts, ...others.map(({ facts }) => facts)])).find(
      ({ id }) => id === operationId,
    );
    const runner = RUNNERS[operationId];
    if (!operation || !runner)
      throw invalidParams(`params/operationId: this changeset has no operation "${operationId}"`);
    checkScope(operation, target);
    if (operation.status === 'disabled') throw notNow(operation);
    const last = this.#changesets.journal.last(subject.uri);
    const chosen = operationId === 'split' ? await partsToSplit(_meta, target, [first, ...others]) : undefined;
    const isUndone = (folder: string) => last.some((record) => record.folder === folder);
    const aims = chosen ? [chosen.at] : await aimsOf(operationId, target, [first, ...others], isUndone);
    const [only] = aims;
    const inOne = only && aims.length === 1 ? operationIn(only, operationId) : undefined;
    if (inOne?.status === 'disabled') throw notNow(inOne);
    const wishes = operationId === 'commit' || chosen ? commitWishes(_meta) : undefined;
    if (chosen && wishes?.message === undefined)
      throw invalidParams(`params/_meta/${ExtensionMeta.message}: expected the message of the new commit`);
    const isStaged = others.length > 0 && [first, ...others].some(({ facts }) => facts.stagedFiles > 0);
    const asked: Asked = {
      operationId,
      clientId,
      program,
      credential,
      shown,
      held: [first, ...others].map((one) => one.subject.folder),
      // What is staged in one folder is not committed together with what is not staged in another.
      ...(wishes && { wishes: isStaged ? { what: 'staged', ...wishes } : wishes }),
      ...(operationId === 'create-pr' && { pullRequest: pullRequestText(_meta) }),
      ...(operationId === 'fixup' && { commit: commitName(_meta) }),
      ...(chosen && { parts: chosen.parts }),
      ...(operationId === 'revert-since' && { turn: turnToRevert(_meta, subject, this.#context.door.channels) }),
    };
    return this.#runner(
      runner,
      aims.map((aim) => this.#job(aim, asked)),
    );
  }

  #runner(runner: Runner, all: readonly { readonly job: Job; readonly ground: Ground }[]) {
    const jobs = all.map(({ job }) => job);
    const [job, ...others] = jobs;
    if (job && others.length === 0) return () => runner(job);
    if (job?.operationId === 'open-diff') return () => openDiffOfAll(jobs);
    const { ids } = this.#context;
    const performAll = (plans: ReadonlyMap<Job, Plan>) => {
      const planned = all.flatMap((one) => {
        const plan = plans.get(one.job);
        return plan ? [{ ground: one.ground, id: ids.next(), plan }] : [];
      });
      return performTogether(planned, ids);
    };
    return () => runTogether(runner, jobs, performAll);
  }

  #job({ subject, editor, changes, aim }: Aimed, asked: Asked): { readonly job: Job; readonly ground: Ground } {
    const { operationId, shown, wishes, pullRequest, commit, turn, parts } = asked;
    const own = { channel: subject.uri, session: subject.session.uri };
    const ground: Ground = { ...this.#ground(subject.folder, subject, asked), ...own };
    const job: Job = {
      operationId,
      subject,
      aim,
      shown,
      ...(wishes && { wishes }),
      ...(pullRequest && { pullRequest }),
      ...(commit !== undefined && { commit }),
      ...(turn !== undefined && { turn }),
      ...(parts && { parts }),
      changes,
      editor,
      journal: this.#changesets.journal,
      context: this.#context,
      changesets: this.#changesets,
      elsewhere: (other, plan) => this.#elsewhere(job, other, plan, asked),
      perform: (plan) => perform(ground, this.#context.ids.next(), plan),
    };
    return { job, ground };
  }

  #ground(folder: string, { session }: FolderSubject, asked: Asked): Ground {
    return {
      folder,
      workspace: this.#workspaces.open(folder),
      editor: this.#workspaces.editor(folder),
      changesets: this.#changesets,
      operationId: asked.operationId,
      at: this.#context.clock.now(),
      by: authorOf(asked, session.state.title),
    };
  }

  /** Changes another folder than the changeset's, as a step of that folder's history. */
  #elsewhere(
    { subject }: Job,
    folder: string,
    plan: (editor: FolderEditor) => Promise<Plan>,
    asked: Asked,
  ): Promise<void> {
    return this.inTurn(asked.held.includes(folder) ? [] : [folder], async () => {
      const ground = this.#ground(folder, subject, asked);
      // Makes the folder's store, if no session has worked there yet.
      await ground.workspace.checkpoint({ freshness: 'exact' });
      await perform(ground, this.#context.ids.next(), await plan(ground.editor));
    });
  }

  async #settle(folder: string): Promise<void> {
    const interrupted = this.#changesets.journal.unfinished().filter((record) => record.folder === folder);
    if (interrupted.length === 0) return;
    const workspace = this.#workspaces.open(folder);
    const settled = new Map<OperationRecord, boolean | undefined>();
    await workspace.betweenCheckpoints(async () => {
      for (const record of interrupted) settled.set(record, await this.#settleOne(record, workspace));
    });
    for (const session of new Set(interrupted.map((record) => record.session))) this.#changesets.changed(session);
    for (const [record, isFinished] of settled) {
      if (isFinished !== undefined) this.#settleOthers(record, isFinished);
    }
    this.board.refreshAll();
  }

  /** An operation in several folders that a crash interrupted is finished in all of them, or taken back in all. */
  #settleOthers(record: OperationRecord, isFinished: boolean): void {
    const { journal } = this.#changesets;
    const others = record.with ?? [];
    const isTakenBack = (other: OperationRecord | undefined) => !other || undoneState(other) !== 'none';
    const isAlone = isFinished && others.some(({ id }) => isTakenBack(journal.record(id)));
    for (const { folder, id } of isFinished ? (isAlone ? [record] : []) : others) {
      const back = () => takeBack(this.groundOf(folder, journal.record(id)), id, this.#context.ids);
      // Not awaited: whoever settles this folder may keep the other one waiting.
      void this.inTurn([folder], back).catch((error: unknown) => {
        const fields = { operation: record.operationId, folder, error: String(error) };
        this.#context.log.write('warn', 'operation.not-recovered', 'a step of an operation cannot be undone', fields);
      });
    }
  }

  /** For the undo of an operation, whether or not its session is still there. */
  groundOf(folder: string, record: OperationRecord | undefined): Ground {
    const { store, clock } = this.#context;
    // What is stored for a session must not come back after the session was deleted for good.
    const isKept = record?.session !== undefined && store.channels.exists(record.session);
    return {
      folder,
      workspace: this.#workspaces.open(folder),
      editor: this.#workspaces.editor(folder),
      changesets: this.#changesets,
      operationId: 'undo',
      ...(isKept && { channel: record.channel, session: record.session }),
      at: clock.now(),
      ...(record?.by && { by: record.by }),
    };
  }

  /** Gives whether it was finished; undefined if it cannot be settled yet. */
  async #settleOne(record: OperationRecord, workspace: Workspace): Promise<boolean | undefined> {
    const { folder, operationId: operation } = record;
    const { journal } = this.#changesets;
    try {
      const editor = this.#workspaces.editor(folder);
      const finished = await settleInterrupted(editor, record);
      if (finished) this.#changesets.operated(workspace, finished);
      if (finished) journal.done(finished, [], 'finished');
      else journal.dropped(record, 'rolledBack');
      if (finished?.operationId === 'commit') journal.committed(finished);
      this.#context.log.write('warn', 'operation.recovered', 'an interrupted operation was finished or undone', {
        operation,
        folder,
        outcome: finished ? 'finished' : 'rolledBack',
      });
      return finished !== undefined;
    } catch (cause) {
      const fields = { operation, folder, error: String(cause) };
      this.#context.log.write(
        'warn',
        'operation.not-recovered',
        'an interrupted operation cannot be finished or undone yet',
        fields,
      );
      return undefined;
    }
  }
}

/** What the client asks for. */
interface Asked
  extends Pick<Job, 'operationId' | 'shown' | 'wishes' | 'pullRequest' | 'commit' | 'turn' | 'parts'>,
    Asker {
  /** The folders whose turn this is. */
  readonly held: readonly string[];
}

/** Who is written into the history as having done something. */
export function authorOf({ clientId, program, credential }: Asker, sessionTitle: string | undefined): Author {
  const person = nameOf(credential);
  return { client: clientId, program, ...(person !== undefined && { person }), sessionTitle };
}

const SEVERAL_FOLDERS = 'several folders';

function notNow({ id, description }: ChangesetOperation): RpcError {
  return invalidRequest(`"${id}" cannot be used now: ${description}`);
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

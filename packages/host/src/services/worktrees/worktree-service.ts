import type { ErrorInfo, SessionSummary, URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import { isInside } from '../../paths/inside.js';
import { WorktreeError, type WorktreePlan, type Worktrees } from '../../ports/worktrees.js';
import { KeyedQueue } from '../../queues/keyed-queue.js';
import { activityTeller } from '../activity.js';
import type { HostContext } from '../context.js';
import { uriOfPath } from '../resources/file-uri.js';
import { type WorktreeRecord, WorktreeRecords } from './records.js';

export type WorktreeOutcome =
  | { readonly kind: 'made' }
  | { readonly kind: 'failed'; readonly error: ErrorInfo }
  /** The session was disposed, or the host is stopping and tries again after a restart. */
  | { readonly kind: 'stopped' };

/** What happens to the work tree of a session that is disposed; clients see it in the session's `_meta`. */
export interface WorktreeFate {
  readonly path: string;
  readonly branch: string;
  readonly kept: boolean;
  readonly reason?: string;
}

/**
 * Makes a session's work tree before the session is ready, and removes it after the session is disposed if no work is
 * lost.
 */
export class WorktreeService {
  readonly #context: HostContext;
  readonly #worktrees: Worktrees;
  readonly #records: WorktreeRecords;
  /** By repository: gits that change the same one at the same time get in each other's way. */
  readonly #repositories = new KeyedQueue();
  readonly #making = new Map<URI, { stop: AbortController; done: Promise<void> }>();
  readonly #work = new Set<Promise<void>>();
  readonly #settling = new Map<URI, Promise<void>>();
  #stopping = false;

  constructor(context: HostContext, worktrees: Worktrees) {
    this.#context = context;
    this.#worktrees = worktrees;
    this.#records = new WorktreeRecords(context);
  }

  /** Records that a new session needs a work tree; it is made once the session is stored. */
  request(session: URI, source: string): void {
    this.#records.put(session, { source, state: 'making' });
  }

  /** Makes the work tree of a session that needs one; undefined if there is nothing to make. */
  make(session: Channel<'session'>): Promise<WorktreeOutcome> | undefined {
    const record = this.#records.of(session.uri);
    if (record?.state !== 'making' || this.#stopping || this.#making.has(session.uri)) return undefined;
    const stop = new AbortController();
    const repository = this.#worktrees.place(record.source, session.uri)?.repository ?? record.source;
    const make = () => this.#make(session, record, stop.signal);
    const made = this.#repositories.run(repository, make);
    const done = made.then(() => {}).finally(() => this.#making.delete(session.uri));
    this.#making.set(session.uri, { stop, done });
    return made;
  }

  isMaking(session: URI): boolean {
    return this.#making.has(session);
  }

  /** Whether the session has a finished work tree. */
  hasOne(session: URI): boolean {
    return this.#records.of(session)?.state === 'ready';
  }

  /** What would happen to the work tree if the session were disposed now. Undefined if it has none. */
  async fate({ uri, state }: Channel<'session'>): Promise<WorktreeFate | undefined> {
    const { state: progress, plan } = this.#records.of(uri) ?? {};
    if (progress !== 'ready' || !plan) return undefined;
    const { path, branch } = plan;
    const isWanted = state.config?.values.worktreeOnEnd === 'remove-if-clean';
    const why = isWanted
      ? (this.#inUse(uri, plan) ?? (await this.#worktrees.unsaved(plan).catch(reasonOf)))
      : 'the session is set to keep it';
    return { path, branch, kept: why !== undefined, ...(why !== undefined && { reason: why }) };
  }

  /**
   * Called in the tick that disposes the session. Stored with it, so that the removal is completed even after a crash.
   */
  sessionDisposing(session: URI, { kept }: WorktreeFate): void {
    const record = this.#records.of(session);
    if (record?.state === 'ready' && !kept) this.#records.put(session, { ...record, state: 'removing' });
  }

  /**
   * Called once the session is disposed. `quiet` resolves when nothing works in the session any more, with false if
   * that takes too long.
   */
  sessionDisposed(session: URI, quiet: () => Promise<boolean>): void {
    const making = this.#making.get(session);
    making?.stop.abort();
    const { state } = this.#records.of(session) ?? {};
    if (state !== 'making' && state !== 'removing') return;
    const free = making ? making.done.then(isTrue) : quiet();
    const settled = free.then((isQuiet) => {
      if (this.#stopping) return; // continued after a restart
      if (isQuiet) return this.#track(this.#settle(session));
      this.#keep(session, 'something in the session is still working in it');
    });
    this.#settles(session, settled);
  }

  /** Resolves when the removal for a disposed session is done; undefined if none is under way. */
  settling(session: URI): Promise<void> | undefined {
    return this.#settling.get(session);
  }

  /** Whether the work tree of a disposed session is to be removed, now or after a restart. */
  isRemoving(session: URI): boolean {
    return this.#records.of(session)?.state === 'removing';
  }

  /**
   * Completes or rolls back what was under way when the host last stopped, except for sessions still being created,
   * which do so themselves.
   */
  settleAfterRestart(): void {
    for (const session of this.#records.unfinished) {
      const lifecycle = this.#context.door.channels.find('session', session)?.state.lifecycle;
      if (lifecycle !== 'creating') this.#settles(session, this.#track(this.#settle(session)));
    }
  }

  async close(): Promise<void> {
    this.#stopping = true;
    for (const { stop } of this.#making.values()) stop.abort();
    await Promise.allSettled([...[...this.#making.values()].map(({ done }) => done), ...this.#work]);
  }

  async #make(session: Channel<'session'>, record: WorktreeRecord, signal: AbortSignal): Promise<WorktreeOutcome> {
    const { door } = this.#context;
    const activity = activityTeller(this.#context, session);
    let { plan } = record;
    if (signal.aborted) return STOPPED; // while it waited for another one
    try {
      activity.say('Creating the work tree');
      if (plan) await this.#worktrees.discard(plan); // left by an earlier attempt
      plan = await this.#plan(session, record.source);
      if (signal.aborted) return STOPPED;
      this.#records.put(session.uri, { ...record, plan });
      await door.stored(); // recorded before anything is on disk
      const onProgress = (percent: number) => activity.say(`Creating the work tree: ${percent} %`);
      await this.#worktrees.make(plan, { signal, onProgress });
      if (signal.aborted) {
        await this.#worktrees.discard(plan);
        return STOPPED;
      }
      this.#records.put(session.uri, { ...record, plan, state: 'ready' });
      const { branch: branchName, baseBranch } = plan;
      door.commit(session, {
        type: 'session/configChanged',
        config: { branchName, ...(baseBranch && { baseBranch }) },
      });
      activity.end();
      return { kind: 'made' };
    } catch (error) {
      if (signal.aborted) return STOPPED;
      const isGone = !plan || (await this.#worktrees.discard(plan).then(isTrue, isFalse));
      if (isGone) this.#records.put(session.uri, undefined); // else the host tries again after a restart
      activity.end();
      const message = `The work tree could not be created. ${reasonOf(error)}`;
      return { kind: 'failed', error: { errorType: 'worktreeFailed', message } };
    }
  }

  async #plan({ uri, state }: Channel<'session'>, source: string): Promise<WorktreePlan> {
    const place = this.#worktrees.place(source, uri);
    if (!place) throw new WorktreeError(`The folder ${source} no longer belongs to a repository.`);
    const { baseBranch, branchName } = state.config?.values ?? {};
    return this.#worktrees.plan({
      folder: source,
      place,
      baseBranch: asText(baseBranch),
      branchName: asText(branchName),
      suggestedBranch: suggestedBranch(uri),
    });
  }

  /** Completes what was under way for a session that no longer exists. */
  async #settle(session: URI): Promise<void> {
    const record = this.#records.of(session);
    if (!record) return;
    try {
      const { plan } = record;
      const alone = <T>(work: () => Promise<T>) => this.#repositories.run(plan?.repository ?? record.source, work);
      if (record.state === 'making') {
        if (plan) await alone(() => this.#worktrees.discard(plan));
        this.#records.put(session, undefined);
      }
      if (record.state === 'removing' && plan) {
        const why = await alone(async () => this.#inUse(session, plan) ?? this.#worktrees.remove(plan));
        if (why === undefined) this.#records.put(session, { ...record, state: 'removed' });
        else this.#keep(session, why);
      }
    } catch (error) {
      this.#keep(session, reasonOf(error));
    }
  }

  #keep(session: URI, reason: string): void {
    const record = this.#records.of(session);
    if (record?.state === 'removing') this.#records.put(session, { ...record, state: 'ready' });
    this.#context.log.write('warn', 'worktree.kept', 'a work tree was kept', {
      session,
      path: record?.plan?.path,
      reason,
    });
  }

  /** Another session may have been started in it, or a fork may go on working there. */
  #inUse(session: URI, { path }: WorktreePlan): string | undefined {
    const listed = this.#context.store.sessions.list().map((json) => JSON.parse(json) as SessionSummary);
    const isThere = (summary: SessionSummary) => {
      const folders = summary.workingDirectories ?? [];
      return summary.resource !== session && folders.some((folder) => this.#isIn(folder, path));
    };
    return listed.some(isThere) ? 'another session works in it' : undefined;
  }

  /**
   * Resolves links and escapes first, since clients may name a folder in several ways. A missing folder is compared by
   * name.
   */
  #isIn(folder: URI, path: string): boolean {
    try {
      return isInside(this.#context.folders.resolve(folder), path);
    } catch {
      return isInside(folder, uriOfPath(path));
    }
  }

  #settles(session: URI, settled: Promise<void>): void {
    this.#settling.set(session, settled);
    void settled.finally(() => this.#settling.delete(session));
  }

  #track(work: Promise<void>): Promise<void> {
    this.#work.add(work);
    void work.finally(() => this.#work.delete(work));
    return work;
  }
}

const STOPPED: WorktreeOutcome = { kind: 'stopped' };

const isTrue = () => true;
const isFalse = () => false;

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Named after the session's id: it has no title yet when its branch is made. */
function suggestedBranch(session: URI): string {
  const id = session.slice(session.indexOf('/') + 1).replace(/[^\w-]+/g, '-');
  return `moorage/${id.slice(0, BRANCH_CHARS).replace(/^-+|-+$/g, '') || 'session'}`;
}

/** Characters of the session's id in its branch name, as many as `moorage` shows. */
const BRANCH_CHARS = 8;

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

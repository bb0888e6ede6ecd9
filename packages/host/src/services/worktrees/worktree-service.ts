import type { ErrorInfo, SessionSummary, URI } from '@ahpd/protocol';
import type { Channel } from '../../core/channel.js';
import { isInside } from '../../paths/inside.js';
import { WorktreeError, type WorktreePlan, type Worktrees } from '../../ports/worktrees.js';
import { activityTeller } from '../activity.js';
import type { HostContext } from '../context.js';
import { uriOfPath } from '../resources/file-uri.js';
import { type WorktreeRecord, WorktreeRecords } from './records.js';

export type WorktreeOutcome =
  | { readonly kind: 'made' }
  | { readonly kind: 'failed'; readonly error: ErrorInfo }
  /** The session ended, or the host does: then the next life tries again. */
  | { readonly kind: 'stopped' };

/** What becomes of the work tree of a session that ends, as clients see it in its `_meta`. */
export interface WorktreeFate {
  readonly path: string;
  readonly branch: string;
  readonly kept: boolean;
  readonly reason?: string;
}

/** The work trees of sessions: made before a session is ready, removed after it ended if nothing is lost by that. */
export class WorktreeService {
  readonly #context: HostContext;
  readonly #worktrees: Worktrees;
  readonly #records: WorktreeRecords;
  readonly #making = new Map<URI, { stop: AbortController; done: Promise<void> }>();
  readonly #work = new Set<Promise<void>>();
  readonly #settling = new Map<URI, Promise<void>>();
  #stopping = false;

  constructor(context: HostContext, worktrees: Worktrees) {
    this.#context = context;
    this.#worktrees = worktrees;
    this.#records = new WorktreeRecords(context);
  }

  /** A new session wants one; it is made once the session is stored. */
  want(session: URI, source: string): void {
    this.#records.put(session, { source, state: 'making' });
  }

  /** Makes the work tree of a session that wants one; undefined when it wants none or has it. */
  make(session: Channel<'session'>): Promise<WorktreeOutcome> | undefined {
    const record = this.#records.of(session.uri);
    if (record?.state !== 'making' || this.#stopping || this.#making.has(session.uri)) return undefined;
    const stop = new AbortController();
    const made = this.#make(session, record, stop.signal);
    const done = made.then(() => {}).finally(() => this.#making.delete(session.uri));
    this.#making.set(session.uri, { stop, done });
    return made;
  }

  isMaking(session: URI): boolean {
    return this.#making.has(session);
  }

  /** Whether the session has a work tree that is there. */
  hasOne(session: URI): boolean {
    return this.#records.of(session)?.state === 'ready';
  }

  /** The session is about to end: what will become of its work tree. Undefined when it has none. */
  async fate({ uri, state }: Channel<'session'>): Promise<WorktreeFate | undefined> {
    const { state: progress, plan } = this.#records.of(uri) ?? {};
    if (progress !== 'ready' || !plan) return undefined;
    const { path, branch } = plan;
    const isWanted = state.config?.values.worktreeOnEnd === 'remove-if-clean';
    const why = isWanted
      ? (this.#inUse(uri, plan) ?? (await this.#worktrees.unsaved(plan).catch(reasonOf)))
      : 'the session says so';
    return { path, branch, kept: why !== undefined, ...(why !== undefined && { reason: why }) };
  }

  /** The session ends with this tick: from then on its work tree is on its way out, also over a crash. */
  ending(session: URI, { kept }: WorktreeFate): void {
    const record = this.#records.of(session);
    if (record?.state === 'ready' && !kept) this.#records.put(session, { ...record, state: 'removing' });
  }

  /** The session has ended; `quiet` says when nothing of it is at work any more, false if that does not come. */
  ended(session: URI, quiet: () => Promise<boolean>): void {
    const making = this.#making.get(session);
    making?.stop.abort();
    const { state } = this.#records.of(session) ?? {};
    if (state !== 'making' && state !== 'removing') return;
    const free = making ? making.done.then(isTrue) : quiet();
    const settled = free.then((isQuiet) => {
      if (this.#stopping) return; // the next life goes on with it
      if (isQuiet) return this.#track(this.#settle(session));
      this.#keep(session, 'something of the session is still at work in it');
    });
    this.#settles(session, settled);
  }

  /** Resolves when nothing is taken away any more for a session that has ended; undefined when nothing is. */
  settling(session: URI): Promise<void> | undefined {
    return this.#settling.get(session);
  }

  /** Whether the work tree of a session that has ended is on its way out; if nobody is at it, the next life is. */
  isRemoving(session: URI): boolean {
    return this.#records.of(session)?.state === 'removing';
  }

  /** Finishes or takes back what an earlier life of the host was at. Sessions that still exist are settled with them. */
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
    try {
      activity.say('Creating the work tree');
      if (plan) await this.#worktrees.discard(plan); // of an earlier life
      plan = await this.#plan(session, record.source);
      if (signal.aborted) return STOPPED;
      this.#records.put(session.uri, { ...record, plan });
      door.flush(); // before anything is on disk
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
      if (isGone) this.#records.put(session.uri, undefined); // else the next life tries again
      activity.end();
      const message = `The work tree could not be created. ${reasonOf(error)}`;
      return { kind: 'failed', error: { errorType: 'worktreeFailed', message } };
    }
  }

  async #plan({ uri, state }: Channel<'session'>, source: string): Promise<WorktreePlan> {
    const place = this.#worktrees.place(source, uri);
    if (!place) throw new WorktreeError(`The folder ${source} belongs to no repository any more.`);
    const { baseBranch, branchName } = state.config?.values ?? {};
    return this.#worktrees.plan({
      folder: source,
      place,
      baseBranch: textOf(baseBranch),
      branchName: textOf(branchName),
      suggestedBranch: suggestedBranch(uri),
    });
  }

  /** Finishes what was under way for a session that is gone. */
  async #settle(session: URI): Promise<void> {
    const record = this.#records.of(session);
    if (!record) return;
    try {
      if (record.state === 'making') {
        if (record.plan) await this.#worktrees.discard(record.plan);
        this.#records.put(session, undefined);
      }
      if (record.state === 'removing' && record.plan) {
        const why = this.#inUse(session, record.plan) ?? (await this.#worktrees.remove(record.plan));
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
    this.#context.log.write('warn', 'a work tree is kept', { session, path: record?.plan?.path, reason });
  }

  /** Another session may have been started in it, or be a fork that works on there. */
  #inUse(session: URI, { path }: WorktreePlan): string | undefined {
    const listed = this.#context.store.sessions.list().map((json) => JSON.parse(json) as SessionSummary);
    const isThere = ({ resource, workingDirectory }: SessionSummary) =>
      resource !== session && workingDirectory !== undefined && this.#isIn(workingDirectory, path);
    return listed.some(isThere) ? 'another session works in it' : undefined;
  }

  /** Clients may name a folder by a link, or with other escapes. One that is gone is told by its name. */
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

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The session has no title yet when its branch is made. */
function suggestedBranch(session: URI): string {
  const id = session.slice(session.indexOf('/') + 1).replace(/[^\w-]+/g, '-');
  return `ahpd/${id.slice(0, BRANCH_CHARS).replace(/^-+|-+$/g, '') || 'session'}`;
}

/** Characters of the session's id in the name of its branch, as `ahp` shows it. */
const BRANCH_CHARS = 8;

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

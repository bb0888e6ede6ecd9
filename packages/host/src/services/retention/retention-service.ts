import type { SessionSummary, URI } from '@moorage/protocol';
import { isInside } from '../../paths/inside.js';
import type { Workspace, Workspaces } from '../../ports/workspace.js';
import type { OperationJournal } from '../changesets/journal.js';
import type { RootSettings } from '../config/root-config.js';
import type { HostContext } from '../context.js';
import { isFileUri, pathOfUri, uriOfPath } from '../resources/file-uri.js';
import { isTrusted, observeClock, readClockRecord } from './clock-trust.js';
import { FIRST_TIDY_MS, MAX_DRIFT_MS, MAX_RETAINED_BYTES, SPARE_YOUNG_MS, TIDY_EVERY_MS } from './limits.js';
import { type Referenced, referencedBy } from './referenced.js';

/** Purges sessions that were disposed long ago, and file contents that nothing refers to any more. */
export class RetentionService {
  readonly #context: HostContext;
  readonly #workspaces: Workspaces | undefined;
  readonly #journal: OperationJournal;
  readonly #isInUse: (workspace: Workspace) => boolean;
  readonly #settings: RootSettings;
  readonly #worktrees: string | undefined;
  #timer: unknown;
  #tidying: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(
    context: HostContext,
    settings: RootSettings,
    workspaces: Workspaces | undefined,
    journal: OperationJournal,
    isInUse: (workspace: Workspace) => boolean = () => false,
    worktrees?: string,
  ) {
    this.#worktrees = worktrees;
    this.#context = context;
    this.#settings = settings;
    this.#workspaces = workspaces;
    this.#journal = journal;
    this.#isInUse = isInUse;
    this.#schedule(FIRST_TIDY_MS);
  }

  /** Purges what is old enough and compacts the rest. */
  tidy(): Promise<void> {
    this.#tidying = this.#tidy();
    return this.#tidying;
  }

  async #tidy(): Promise<void> {
    const { store, clock, log } = this.#context;
    try {
      const isTrusted = this.#trustsClock();
      if (isTrusted) store.sessions.purge(clock.now() - this.#settings.keepDisposedSessionsMs);
      const histories = this.#tidyHistories(isTrusted);
      const { inWorkspaces, missing, removed } = this.#sessions();
      for (const { workspace } of histories) {
        if (workspace && !inWorkspaces.has(workspace)) inWorkspaces.set(workspace, []);
      }
      for (const [workspace, sessions] of inWorkspaces) {
        const steps = histories.filter(({ id }) => id === workspace.id).flatMap(({ documents }) => documents);
        if (!this.#isStopped) await this.#tidyFolder(workspace, [...sessions, ...missing], steps);
      }
      if (this.#isStopped) return;
      // A folder that is missing now, perhaps on an unmounted drive, may come back, and its workspace cannot be
      // identified until then. So no workspace is deleted while any folder is missing.
      const used = [...[...inWorkspaces.keys(), ...histories].map(({ id }) => id), ...removed];
      if (missing.length === 0) await this.#workspaces?.retainOnly(used, clock.now() - SPARE_YOUNG_MS);
    } catch (error) {
      if (!this.#isStopped)
        log.write('warn', 'retention.delete-failed', 'deleting old data failed', { error: String(error) });
    }
  }

  /** Drops what can no longer be undone. Returns what the rest needs, by folder; a folder may be missing now. */
  #tidyHistories(isTrusted: boolean): { id: string; workspace: Workspace | undefined; documents: string[] }[] {
    const workspaces = this.#workspaces;
    if (!workspaces) return [];
    const now = this.#context.clock.now();
    const { keepUndoMs, keepUndoBytes } = this.#settings;
    const limits = { now, olderThan: isTrusted ? now - keepUndoMs : undefined, bytes: keepUndoBytes };
    return this.#journal.history.folders().flatMap((folder) => {
      const documents = this.#journal.retainHistory(folder, limits);
      if (documents.length === 0) return [];
      return [{ id: workspaces.idOf(folder), workspace: this.#open(uriOfPath(folder)), documents }];
    });
  }

  /** Records the clock's reading. Returns whether it has run without a jump for long enough to delete by it. */
  #trustsClock(): boolean {
    const { store, door, clock } = this.#context;
    const before = readClockRecord(store.documents.read('retention', CLOCK_KEY));
    const record = observeClock(before, clock.now());
    door.documents.put({ collection: 'retention', key: CLOCK_KEY, json: JSON.stringify(record) });
    return isTrusted(record);
  }

  /** Stops, after the tidy-up in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#context.clock.clearTimeout(this.#timer);
    await this.#tidying;
  }

  async #tidyFolder(workspace: Workspace, sessions: readonly URI[], steps: readonly string[]): Promise<void> {
    // Changesets that are open or being computed may refer to contents that no document names yet.
    if (this.#isInUse(workspace)) return;
    const wanted: Referenced = { ids: referencedBy(steps).ids, bytes: 0 };
    for (const session of sessions) {
      const referenced = referencedBy(this.#context.store.documents.ofSession(session));
      if (wanted.bytes + referenced.bytes > MAX_RETAINED_BYTES) continue;
      for (const id of referenced.ids) wanted.ids.add(id);
      wanted.bytes += referenced.bytes;
    }
    const { clock, log } = this.#context;
    const kept = { ids: [...wanted.ids], olderThan: clock.now() - SPARE_YOUNG_MS };
    await workspace.retain(kept).catch((error: unknown) => {
      if (!this.#isStopped)
        log.write('warn', 'retention.compact-failed', 'compacting the kept contents of a folder failed', {
          error: String(error),
        });
    });
  }

  #open(folder: URI): Workspace | undefined {
    try {
      return this.#workspaces?.open(this.#context.folders.resolve(folder));
    } catch {
      return undefined; // missing, or no longer below a root
    }
  }

  /**
   * The workspace id of a work tree that the host itself made and removed: unlike other missing folders, it will not
   * come back.
   */
  #removedWorktree(folder: URI): string | undefined {
    const path = this.#worktrees !== undefined && isFileUri(folder) ? pathOfUri(folder) : undefined;
    return path !== undefined && isInside(path, this.#worktrees ?? path) ? this.#workspaces?.idOf(path) : undefined;
  }

  /**
   * The sessions of each workspace, newest first, including disposed ones, which can still be restored. `missing` are
   * sessions with a folder that cannot be used now, `removed` the workspaces of removed work trees.
   */
  #sessions(): { inWorkspaces: Map<Workspace, URI[]>; missing: URI[]; removed: string[] } {
    const { sessions } = this.#context.store;
    const listed = sessions.list().map((json) => JSON.parse(json) as SessionSummary);
    const inWorkspaces = new Map<Workspace, URI[]>();
    const missing: URI[] = [];
    const removed: string[] = [];
    for (const summary of [...listed, ...sessions.listDisposed().map((it) => it.summary)]) {
      const { resource, workingDirectories = [] } = summary;
      for (const folder of workingDirectories) {
        const workspace = this.#open(folder);
        const gone = workspace ? undefined : this.#removedWorktree(folder);
        if (gone !== undefined) removed.push(gone);
        else if (!workspace) missing.push(resource);
        else inWorkspaces.set(workspace, [...(inWorkspaces.get(workspace) ?? []), resource]);
      }
    }
    return { inWorkspaces, missing: [...new Set(missing)], removed };
  }

  #schedule(milliseconds: number): void {
    const { clock } = this.#context;
    const due = clock.now() + milliseconds;
    this.#timer = clock.setTimeout(() => {
      // After a jump, what was just written would look old. Wait until ages can be told again.
      if (Math.abs(clock.now() - due) > MAX_DRIFT_MS) this.#schedule(FIRST_TIDY_MS);
      else void this.tidy().then(() => this.#isStopped || this.#schedule(TIDY_EVERY_MS));
    }, milliseconds);
  }
}

const CLOCK_KEY = 'clock';

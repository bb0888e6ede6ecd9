import type { SessionSummary, URI } from '@ahpd/protocol';
import { isInside } from '../../paths/inside.js';
import type { Workspace, Workspaces } from '../../ports/workspace.js';
import type { RootSettings } from '../config/root-config.js';
import type { HostContext } from '../context.js';
import { isFileUri, pathOfUri } from '../resources/file-uri.js';
import { isTrusted, lookAtClock, readClockRecord } from './clock-trust.js';
import { FIRST_TIDY_MS, MAX_DRIFT_MS, MAX_RETAINED_BYTES, SPARE_YOUNG_MS, TIDY_EVERY_MS } from './limits.js';
import { type Referenced, referencedBy } from './referenced.js';

/** Lets go of what nobody can want any more: sessions that were disposed long ago, and contents of files. */
export class RetentionService {
  readonly #context: HostContext;
  readonly #workspaces: Workspaces | undefined;
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
    isInUse: (workspace: Workspace) => boolean = () => false,
    worktrees?: string,
  ) {
    this.#worktrees = worktrees;
    this.#context = context;
    this.#settings = settings;
    this.#workspaces = workspaces;
    this.#isInUse = isInUse;
    this.#schedule(FIRST_TIDY_MS);
  }

  /** Purges what is old enough, and makes the rest small. */
  tidy(): Promise<void> {
    this.#tidying = this.#tidy();
    return this.#tidying;
  }

  async #tidy(): Promise<void> {
    const { store, clock, log } = this.#context;
    try {
      if (this.#trustsClock()) store.sessions.purge(clock.now() - this.#settings.keepEndedSessionsMs);
      const { inWorkspaces, away, removed } = this.#sessions();
      for (const [workspace, sessions] of inWorkspaces) {
        if (!this.#isStopped) await this.#tidyFolder(workspace, [...sessions, ...away]);
      }
      if (this.#isStopped) return;
      // A folder that is away, as on a drive that is not mounted, may come back: which workspace is its own cannot be told.
      const used = [...[...inWorkspaces.keys()].map(({ id }) => id), ...removed];
      if (away.length === 0) await this.#workspaces?.retainOnly(used, clock.now() - SPARE_YOUNG_MS);
    } catch (error) {
      if (!this.#isStopped) log.write('warn', 'old data could not be let go of', { error: String(error) });
    }
  }

  /** Remembers what the clock says now; whether it has run without a jump for long enough to delete by it. */
  #trustsClock(): boolean {
    const { store, door, clock } = this.#context;
    const before = readClockRecord(store.documents.read('retention', CLOCK_KEY));
    const record = lookAtClock(before, clock.now());
    door.documents.put({ collection: 'retention', key: CLOCK_KEY, json: JSON.stringify(record) });
    return isTrusted(record);
  }

  /** Resolves when nothing is tidied any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#context.clock.clearTimeout(this.#timer);
    await this.#tidying;
  }

  async #tidyFolder(workspace: Workspace, sessions: readonly URI[]): Promise<void> {
    // What is shown or made right now may not be in any document yet.
    if (this.#isInUse(workspace)) return;
    const wanted: Referenced = { ids: new Set(), bytes: 0 };
    for (const session of sessions) {
      const referenced = referencedBy(this.#context.store.documents.ofSession(session));
      if (wanted.bytes + referenced.bytes > MAX_RETAINED_BYTES) continue;
      for (const id of referenced.ids) wanted.ids.add(id);
      wanted.bytes += referenced.bytes;
    }
    const { clock, log } = this.#context;
    const kept = { ids: [...wanted.ids], olderThan: clock.now() - SPARE_YOUNG_MS };
    await workspace.retain(kept).catch((error: unknown) => {
      if (!this.#isStopped) log.write('warn', 'what is kept of a folder could not be packed', { error: String(error) });
    });
  }

  #open(folder: URI): Workspace | undefined {
    try {
      return this.#workspaces?.open(this.#context.folders.resolve(folder));
    } catch {
      return undefined; // no folder of this host any more
    }
  }

  /** The workspace of a work tree of the host's own that is gone: it is not away, it will not come back. */
  #removed(folder: URI): string | undefined {
    const path = this.#worktrees !== undefined && isFileUri(folder) ? pathOfUri(folder) : undefined;
    return path !== undefined && isInside(path, this.#worktrees ?? path) ? this.#workspaces?.idOf(path) : undefined;
  }

  /** The sessions of each workspace, disposed ones included while they can be restored, newest first. */
  #sessions(): { inWorkspaces: Map<Workspace, URI[]>; away: URI[]; removed: string[] } {
    const { sessions } = this.#context.store;
    const listed = sessions.list().map((json) => JSON.parse(json) as SessionSummary);
    const inWorkspaces = new Map<Workspace, URI[]>();
    const away: URI[] = [];
    const removed: string[] = [];
    for (const { workingDirectory, resource } of [...listed, ...sessions.listDisposed().map((it) => it.summary)]) {
      if (workingDirectory === undefined) continue;
      const workspace = this.#open(workingDirectory);
      const gone = workspace ? undefined : this.#removed(workingDirectory);
      if (gone !== undefined) removed.push(gone);
      else if (!workspace) away.push(resource);
      else inWorkspaces.set(workspace, [...(inWorkspaces.get(workspace) ?? []), resource]);
    }
    return { inWorkspaces, away, removed };
  }

  #schedule(milliseconds: number): void {
    const { clock } = this.#context;
    const due = clock.now() + milliseconds;
    this.#timer = clock.setTimeout(() => {
      // What was just written would look old. Some time later it is known again what is young.
      if (Math.abs(clock.now() - due) > MAX_DRIFT_MS) this.#schedule(FIRST_TIDY_MS);
      else void this.tidy().then(() => this.#isStopped || this.#schedule(TIDY_EVERY_MS));
    }, milliseconds);
  }
}

const CLOCK_KEY = 'clock';

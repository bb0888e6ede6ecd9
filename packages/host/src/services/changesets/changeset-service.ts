import {
  type ChangesetSelector,
  type ContentRef,
  changesetUri,
  ExtensionMeta,
  parseChangesetUri,
  primaryDirectory,
  type URI,
} from '@moorage/protocol';
import { type Channel, isKind } from '../../core/channel.js';
import { chatWithTurn } from '../../core/chat-turns.js';
import type { Committed } from '../../core/committed.js';
import type { EditStep, FolderEditor } from '../../ports/folder-editor.js';
import { FolderError } from '../../ports/folders.js';
import {
  type CompareStoredOptions,
  type FileChange,
  type StateId,
  type Workspace,
  WorkspaceError,
  type Workspaces,
} from '../../ports/workspace.js';
import { KeyedQueue } from '../../queues/keyed-queue.js';
import { activityTeller } from '../activity.js';
import type { HostContext } from '../context.js';
import { textsOf } from './authorship/texts.js';
import { baseBranchOf } from './base-branch.js';
import { type Counts, catalogue, chatCatalogue, countsOf } from './catalogue.js';
import { ChangesetChannel } from './changeset-channel.js';
import { Elsewhere } from './elsewhere.js';
import { changesetFileId, elsewhereFile, toChangesetFile } from './files.js';
import { gitMeta } from './git-meta.js';
import { withIndexChanges } from './index-changes.js';
import type { OperationJournal } from './journal.js';
import { KnownCounts } from './known-counts.js';
import { withNotes } from './notes.js';
import { Offers } from './offers.js';
import { OpenChangesets } from './open-changesets.js';
import { pathNow, versionAt } from './pinned.js';
import { ChangeRecords, type RecordedChange } from './records.js';
import { type RunningTurn, RunningTurns } from './running-turns.js';
import { SessionChanges } from './session-changes.js';
import type { Subject } from './subject.js';
import { pathOf } from './words.js';

/** Milliseconds before the reading of a folder shows as activity: most folders are read by then. */
const READING_QUIET_MS = 1_000;

/** An operation that changed files, and what it did on disk. */
export interface DoneOperation {
  readonly id: string;
  readonly steps: readonly EditStep[];
}

export interface ChangesetServiceOptions {
  readonly workspaces: Workspaces;
  readonly journal: OperationJournal;
  /** Reads the contents that agents store with their edits. */
  readonly contentAt: (uri: URI) => Uint8Array | undefined;
  /** Stores content with a session. */
  readonly store: (session: URI, content: Uint8Array) => ContentRef;
}

/** Records what agents change in each turn, and shows it as changesets that stay up to date. */
export class ChangesetService {
  readonly #context: HostContext;
  readonly #workspaces: Workspaces;
  readonly #records: ChangeRecords;
  /** What operations did. Changesets are computed from this and from the records of turns. */
  readonly journal: OperationJournal;
  /** Serializes, per folder, operations and the checkpoints of turns: no checkpoint may hold half an operation. */
  readonly writes = new KeyedQueue();
  readonly #running: RunningTurns;
  readonly #changes: SessionChanges;
  readonly #open: OpenChangesets;
  readonly #offers: Offers;
  readonly #elsewhere: Elsewhere;
  readonly #knownCounts: KnownCounts;
  /** Work that has not finished, with the session it is for. */
  readonly #unfinished = new Map<Promise<void>, URI>();
  /** The `endTurn` calls that have not finished. */
  readonly #ending = new Set<Promise<void>>();
  #isClosed = false;

  constructor(context: HostContext, { workspaces, journal, contentAt, store }: ChangesetServiceOptions) {
    this.#context = context;
    this.#workspaces = workspaces;
    this.#records = new ChangeRecords(context);
    this.journal = journal;
    const textsIn = (workspace: Workspace) => textsOf(workspaces, workspace);
    const quickCheckpoint = (workspace: Workspace, onCaughtUp: () => void) =>
      this.writes.run(workspace.id, () => workspace.quickCheckpoint({ freshness: 'exact', onCaughtUp }));
    this.#running = new RunningTurns({ clock: context.clock, textsOf: textsIn, contentAt, quickCheckpoint });
    this.#changes = new SessionChanges(context.door.channels, this.#records, this.journal, this.#running, textsIn);
    this.#elsewhere = new Elsewhere(context, { store, contentAt });
    this.#knownCounts = new KnownCounts(context);
    this.#open = new OpenChangesets(context);
    this.#offers = new Offers(context, (session, failures) => this.#offer(session, failures));
  }

  onUsed(uri: URI): void {
    this.#offers.onUsed(uri);
    this.#knownCounts.onUsed(uri);
    this.#context.clock.defer(() => this.#showBranchAgain(uri));
  }

  onUnused(uri: URI): void {
    this.#open.onUnused(uri);
    const parsed = parseChangesetUri(uri);
    if (parsed) this.#knownCounts.set(parsed.session, changesetUri(parsed.session, parsed.selector), undefined);
  }

  onChat({ channel, action, before }: Committed<'chat'>): void {
    const { channels } = this.#context.door;
    if (action.type === 'chat/truncated') this.#endChangesetsOfRemovedTurns(channels.sessionOf(channel));
    const turnId = before.activeTurn?.id;
    const session = turnId === undefined ? undefined : channels.sessionOf(channel)?.uri;
    if (turnId === undefined || session === undefined) return;
    this.#running.observe({ session, turnId }, action);
    if (action.type !== 'chat/toolCallComplete' || !action.result.success) return;
    for (const content of action.result.content ?? [])
      if (content.type === 'fileEdit') this.#elsewhere.reported({ session, turnId }, content);
  }

  /** Records the state of the files before the agent starts. A turn resumed after a restart keeps its first record. */
  beginTurn(session: Channel<'session'>, chat: URI, turnId: string, resumed: boolean): Promise<void> {
    return this.#guard(session.uri, async () => {
      const workspace = this.#workspaceOf(session);
      if (!workspace) return;
      if (!resumed) await this.#prepareRecords(session, turnId);
      const turn = { session: session.uri, turnId };
      this.#running.watch(turn, primaryDirectory(session.state) ?? '', workspace, this.#parentOf(session, turnId));
      if (this.#records.turn(session.uri, turnId)) return;
      const startedAt = this.#running.moment();
      const begin = await this.#checkpoint(session, workspace);
      this.#running.began(turn, begin, startedAt);
      await workspace.keepNames(begin);
      await this.#elsewhere.begin(turn, this.#folderOf(session) ?? '', workspace, begin);
      this.#records.putTurn(session.uri, { turnId, chat, begin });
      this.#open.refresh(session.uri);
    });
  }

  /** Records what the turn changed, with its contents in the host's own store. Stored with the end of the turn. */
  endTurn(session: Channel<'session'>, turnId: string): Promise<void> {
    const turn = { session: session.uri, turnId };
    const ending = this.#guard(session.uri, async () => {
      const workspace = this.#workspaceOf(session);
      const record = this.#records.turn(session.uri, turnId);
      if (!workspace || !record || record.end) return;
      const startedAt = this.#running.moment();
      const state = await this.#checkpoint(session, workspace);
      this.#running.looked(turn, state, startedAt);
      const changes = await workspace.compare(record.begin, state);
      const own = await this.#changes.ownOf(workspace, turn, changes, state);
      const at = this.#running.moment();
      const files = own.map((change) => (change.at === undefined ? { ...change, at } : change));
      await workspace.keep(files.flatMap((change) => [change, ...(change.steps ?? [])]));
      const place = {
        workspace,
        folder: this.#folderOf(session) ?? '',
        folderUri: primaryDirectory(session.state) ?? '',
      };
      const touched = this.#running.touchedBy(turn);
      await this.#elsewhere.end(turn, { ...place, begin: record.begin, end: state, touched });
      this.#running.unwatch(turn);
      this.#records.putTurn(session.uri, { ...record, end: { files, state } });
      await this.#publish(session, workspace);
      this.#open.refresh(session.uri);
    });
    this.#ending.add(ending);
    return ending.finally(() => {
      this.#ending.delete(ending);
      this.#running.unwatch(turn); // also if recording failed: the turn no longer runs
      this.#elsewhere.forget(turn);
    });
  }

  /** The channel of a changeset, opened for its first subscriber; undefined when there is no such changeset. */
  open(uri: URI): Channel<'changeset'> | undefined {
    const known = this.#open.get(uri);
    if (known) return known;
    const subject = this.#subjectIfFolderExists(uri);
    if (!subject) return undefined;
    const { session, workspace, selector, folder, folderUri } = subject;
    const { door, clock, log } = this.#context;
    const editor = this.#workspaces.editor(folder);
    // Sent as actions from the start, so that a client from before a restart of the host catches up by replaying them.
    const channel = door.openEphemeral(uri, 'changeset', { status: 'computing', files: [] }, 0);
    door.commit(channel, { type: 'changeset/statusChanged', status: 'computing' });
    const changeset = new ChangesetChannel(channel, {
      door,
      clock,
      log,
      compute: async (options) => {
        const changes = await this.#changesOf(
          { session, workspace, selector, editor },
          { ...options, freshness: 'watched' }, // the watcher refreshes it
        );
        return withNotes(subject, { journal: this.journal, editor }, changes);
      },
      ...(selector.kind === 'elsewhere'
        ? { idOf: pathOf, toFile: elsewhereFile }
        : {
            idOf: (change) => changesetFileId(folderUri, change),
            toFile: (change) => toChangesetFile(folderUri, workspace.id, change),
          }),
      ...(isOfFolder(selector) && {
        onShown: (changes: readonly FileChange[]) => this.#knownCounts.set(session.uri, subject.uri, countsOf(changes)),
      }),
    });
    this.#open.add({ changeset, session: session.uri, workspace });
    return channel;
  }

  async #changesOf(
    { session, workspace, selector, editor }: Pick<Subject, 'session' | 'workspace' | 'selector'> & EditorOf,
    options: CompareStoredOptions,
  ): Promise<readonly FileChange[]> {
    if (selector.kind === 'elsewhere') return this.#elsewhere.changes(session.uri);
    const changes = await this.#changes.of(session, workspace, selector, options);
    const { freshness, signal } = options;
    if (selector.kind !== 'uncommitted' || !(await workspace.reference('head', { freshness, signal }))) return changes;
    return withIndexChanges(changes, workspace, editor.index, { freshness });
  }

  /** What a changeset is about, whether or not it has subscribers; undefined when there is no such changeset. */
  subject(uri: URI): Subject | undefined {
    const parsed = parseChangesetUri(uri);
    const session = parsed && this.#context.door.channels.load(parsed.session);
    if (!isKind(session, 'session') || !parsed || !this.#exists(session, parsed.selector)) return undefined;
    const folderUri = primaryDirectory(session.state);
    const folder = this.#folderOf(session);
    if (folder === undefined || folderUri === undefined) return undefined;
    const workspace = this.#workspaces.open(folder);
    const { selector } = parsed;
    return {
      uri: changesetUri(session.uri, selector),
      session,
      selector,
      folderUri,
      folder,
      workspace,
      changes: () =>
        this.#changesOf(
          { session, workspace, selector, editor: this.#workspaces.editor(folder) },
          { freshness: 'exact' },
        ),
      history: () => this.#changes.history(session, workspace),
      stateAfter: () =>
        selector.kind === 'turn' ? this.#records.turn(session.uri, selector.turnId)?.end?.state : undefined,
    };
  }

  /** A file before or after a turn; undefined if no turn of the session changed it, or if its content is not kept. */
  async fileAt(
    session: Channel<'session'>,
    turnId: string,
    path: string,
    side: 'before' | 'after',
  ): Promise<Uint8Array | undefined> {
    const version = versionAt(this.#records.turns(session.uri), turnId, path, side);
    const workspace = version && this.#workspaceOf(session);
    const content = workspace && (await this.#workspaces.read(workspace.id, version.contentId));
    return content instanceof Uint8Array ? content : undefined;
  }

  /** The present path of the file that was at this path when the turn ended. */
  pathNow(session: URI, turnId: string, path: string): string {
    return pathNow(this.#records.turns(session), turnId, path);
  }

  runningIn(workspace: Workspace): RunningTurn[] {
    return this.#running.in(workspace);
  }

  /** Records what an operation did to files that turns of the session changed, so that the session's changes add up. */
  operated(workspace: Workspace, session: URI | undefined, { id, steps }: DoneOperation): Promise<void> {
    const at = this.#running.operated(workspace, steps);
    if (session === undefined) return Promise.resolve();
    return this.#guard(session, async () => {
      const records = this.#records.turns(session);
      const isRunning = records.some(({ end }) => !end); // it may have changed any of the files
      const known = pathsIn(records.flatMap(({ end }) => end?.files ?? []));
      const files = steps
        .filter(({ path }) => isRunning || known.has(path))
        .map(({ from, to }): RecordedChange => ({ at, ...(from && { before: from }), ...(to && { after: to }) }));
      if (files.length > 0) this.#records.putOperation(session, id, files, this.runningIn(workspace));
    });
  }

  /** Refreshes the session's changesets after an operation. */
  async changed(workspace: Workspace, uri: URI | undefined): Promise<void> {
    if (uri === undefined) return;
    await this.#guard(uri, async () => {
      // The session may have been unloaded while the operation ran.
      const session = this.#context.door.channels.find('session', uri);
      if (session) await this.#publish(session, workspace);
    });
    this.#open.refresh(uri);
  }

  /** Ends the changesets of the session. */
  sessionDisposed(session: URI): void {
    this.#open.end(session);
    this.#records.forget(session);
  }

  /** Completes the records of turns that ended when the session was disposed, and publishes its changesets again. */
  restored(session: Channel<'session'>): Promise<void> {
    const unfinished = this.#records.turns(session.uri).filter(({ end }) => !end);
    return this.#guard(session.uri, async () => {
      await this.turnsEnded();
      for (const { turnId } of unfinished) await this.endTurn(session, turnId);
      const workspace = this.#workspaceOf(session);
      if (workspace) await this.#publish(session, workspace);
    });
  }

  /** Whether turns run in the folder, or changesets of it have subscribers. */
  isInUse(workspace: Workspace): boolean {
    return this.runningIn(workspace).length > 0 || this.#open.areIn(workspace);
  }

  /** Whether work for the session has not finished. The session must stay in memory to receive the result. */
  isBusyFor(session: URI): boolean {
    return [...this.#unfinished.values()].includes(session);
  }

  /**
   * Resolves when the changes of all ended turns are recorded. After a restart the host could not tell them from later
   * changes.
   */
  async turnsEnded(): Promise<void> {
    await Promise.all(this.#ending);
  }

  /** Gives up all other work because the host stops, and resolves when none runs any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#open.closeAll();
    await Promise.all(this.#unfinished.keys());
    this.#running.unwatchAll();
  }

  onSession({ channel: session, action, before }: Committed<'session'>): void {
    if (action.type === 'session/ready') {
      this.#records.forget(session.uri);
      this.#offers.begin(session);
    }
    if (action.type === 'session/chatRemoved') this.#endChangesetsOfRemovedTurns(session);
    if (action.type === 'session/chatAdded' && action.summary.changes === undefined)
      this.#offerInChat(session, action.summary.resource, NOTHING_CHANGED);
    const previousBase = before.config?.values.baseBranch;
    if (action.type !== 'session/configChanged' || baseBranchOf(session) === previousBase) return;
    const workspace = this.#workspaceOf(session);
    if (workspace) void this.#guard(session.uri, () => this.#publish(session, workspace));
    for (const changeset of this.#open.of(session.uri)) {
      if (parseChangesetUri(changeset.channel.uri)?.selector.kind === 'branch') changeset.restart();
    }
  }

  #checkpoint(session: Channel<'session'>, workspace: Workspace): Promise<StateId> {
    return this.writes.run(workspace.id, () => this.#checkpointWithActivity(session, workspace));
  }

  /** Shows progress, because the first checkpoint of a large folder takes a while and the agent waits for it. */
  async #checkpointWithActivity(session: Channel<'session'>, workspace: Workspace): Promise<StateId> {
    const activity = activityTeller(this.#context, session, { quietMs: READING_QUIET_MS });
    const onProgress = (files: number, of: number) => activity.say(`Reading the folder: ${files} of ${of} files`);
    try {
      return await workspace.checkpoint({ freshness: 'exact', onProgress });
    } finally {
      activity.end();
    }
  }

  /** Returns false if it must be tried again. */
  async #offer(session: Channel<'session'>, failures: number): Promise<boolean> {
    let isOffered = false;
    const work = async () => {
      await this.#beginSession(session);
      isOffered = true;
    };
    await this.#guard(session.uri, work, failures === 0 ? 'warn' : 'debug');
    return isOffered || this.#isClosed;
  }

  async #beginSession(session: Channel<'session'>): Promise<void> {
    const workspace = this.#workspaceOf(session);
    if (!workspace) return;
    if (!this.#records.session(session.uri).base) {
      // A turn may have started, and changed files, before this.
      const first = this.#records.turns(session.uri).find(({ begin }) => begin !== '');
      this.#records.putBase(session.uri, first?.begin ?? (await this.#checkpointWithActivity(session, workspace)));
    }
    await this.#publish(session, workspace);
  }

  #decideAgain(session: Channel<'session'>): void {
    void this.#guard(session.uri, async () => {
      const workspace = this.#workspaceOf(session);
      if (workspace) await this.#publish(session, workspace);
    });
  }

  async #publish(session: Channel<'session'>, workspace: Workspace): Promise<void> {
    const about = await workspace.describe({ freshness: 'exact', baseBranch: baseBranchOf(session) });
    this.#showInMeta(session, about.problem, gitMeta(about));
    const history = await this.#changes.history(session, workspace);
    const changes = await this.#changes.inHistory(workspace, history);
    const all = catalogue(session.uri, about, changes, this.#elsewhere.changes(session.uri));
    const changesets = this.#knownCounts.in(session.uri, all);
    const counts = await this.#changes.countsByChat(session, workspace, history);
    if (JSON.stringify(changesets) !== JSON.stringify(session.state.changesets)) {
      const again = (same: Channel<'session'>) => this.#decideAgain(same);
      this.#context.door.commit(session, { type: 'session/changesetsChanged', changesets }, { again });
    }
    this.#publishInChats(session, counts);
  }

  /** The session's list of chats repeats the counts, so only chats whose counts changed are loaded. */
  #publishInChats(session: Channel<'session'>, counts: ReadonlyMap<URI, Counts>): void {
    const { door } = this.#context;
    if (!door.isOpen(session)) return;
    for (const { resource, changes } of session.state.chats) {
      const { additions, deletions, files } = counts.get(resource) ?? NOTHING_CHANGED;
      const isKnown = changes?.files === files && changes?.additions === additions && changes?.deletions === deletions;
      if (!isKnown) this.#offerInChat(session, resource, { additions, deletions, files });
    }
  }

  #offerInChat(session: Channel<'session'>, uri: URI, counts: Counts): void {
    const { door } = this.#context;
    // Before the session offers its changesets there may be no folder; then all chats are offered theirs with it.
    const chat = session.state.changesets ? door.channels.find('chat', uri) : undefined;
    if (!chat) return;
    const changesets = chatCatalogue(session.uri, uri, counts);
    if (JSON.stringify(changesets) === JSON.stringify(chat.state.changesets)) return;
    door.commit(chat, { type: 'chat/changesetsChanged', changesets }, { again: () => this.#decideAgain(session) });
  }

  /** For a session that somebody opens: its branch may be another since its last turn. */
  #showBranchAgain(uri: URI): void {
    const { channels, subscriptions } = this.#context.door;
    const session = channels.peek(uri);
    if (!isKind(session, 'session') || !subscriptions.has(uri) || !session.state._meta?.git) return;
    void this.#guard(uri, async () => {
      const about = await this.#workspaceOf(session)?.describe({
        freshness: 'exact',
        baseBranch: baseBranchOf(session),
      });
      if (about) this.#showInMeta(session, about.problem, gitMeta(about));
    });
  }

  /** Shows the repository's branch, and why changes are not tracked as they should be; undefined once they are. */
  #showInMeta(session: Channel<'session'>, problem: string | undefined, git: object | undefined): void {
    if (!this.#context.door.isOpen(session)) return;
    const { [ExtensionMeta.changesProblem]: _problem, git: _git, ...others } = session.state._meta ?? {};
    const _meta = { ...others, ...(git && { git }), ...(problem && { [ExtensionMeta.changesProblem]: problem }) };
    if (JSON.stringify(_meta) === JSON.stringify(session.state._meta ?? {})) return;
    const isEmpty = Object.keys(_meta).length === 0;
    this.#context.door.commit(session, { type: 'session/metaChanged', ...(!isEmpty && { _meta }) });
  }

  /** Treats a missing folder as a missing changeset: a client that resubscribes to many must still get the others. */
  #subjectIfFolderExists(uri: URI): Subject | undefined {
    try {
      return this.subject(uri);
    } catch (error) {
      if (error instanceof FolderError) return undefined;
      throw error;
    }
  }

  /** A changeset exists if the chats have the turns it names (OQ-57, OQ-80), whatever the records hold. */
  #exists(session: Channel<'session'>, selector: ChangesetSelector): boolean {
    if (selector.kind === 'chat') return session.state.chats.some(({ resource }) => resource === selector.chat);
    return turnsIn(selector).every((turnId) => chatWithTurn(this.#context.door.channels, session.state, turnId));
  }

  #endChangesetsOfRemovedTurns(session: Channel<'session'> | undefined): void {
    if (!session || !this.#context.door.isOpen(session)) return;
    this.#open.end(session.uri, (uri) => {
      const parsed = parseChangesetUri(uri);
      return parsed !== undefined && !this.#exists(session, parsed.selector);
    });
  }

  /** The turn whose sub-agent works on this one. */
  #parentOf(session: Channel<'session'>, turnId: string): RunningTurn | undefined {
    const { channels } = this.#context.door;
    const origin = chatWithTurn(channels, session.state, turnId)?.state.origin;
    const parent = origin?.kind === 'tool' ? channels.find('chat', origin.chat)?.state.activeTurn : undefined;
    return parent && { session: session.uri, turnId: parent.id };
  }

  /**
   * Prepares the records for a new turn: completes those that a crash of the host left without an end, and retires the
   * record of an earlier turn with the same id.
   */
  async #prepareRecords(session: Channel<'session'>, turnId: string): Promise<void> {
    const isActive = (id: string) =>
      chatWithTurn(this.#context.door.channels, session.state, id)?.state.activeTurn?.id === id;
    for (const record of this.#records.turns(session.uri)) {
      if (record.end || this.#running.has({ session: session.uri, turnId: record.turnId })) continue;
      if (record.turnId === turnId || !isActive(record.turnId)) await this.endTurn(session, record.turnId);
    }
    if (!this.#records.turn(session.uri, turnId)) return;
    const others = this.#records.session(session.uri).turns;
    const selectors: ChangesetSelector[] = [
      { kind: 'turn', turnId },
      ...others.flatMap((other): ChangesetSelector[] => [
        { kind: 'compare-turns', originalTurnId: turnId, modifiedTurnId: other },
        { kind: 'compare-turns', originalTurnId: other, modifiedTurnId: turnId },
      ]),
    ];
    const uris = selectors.map((selector) => changesetUri(session.uri, selector));
    this.journal.forgetTurn({ session: session.uri, turnId }, uris);
    this.#records.retireTurn(session.uri, turnId);
  }

  #workspaceOf(session: Channel<'session'>): Workspace | undefined {
    const folder = this.#folderOf(session);
    return folder === undefined ? undefined : this.#workspaces.open(folder);
  }

  #folderOf(session: Channel<'session'>): string | undefined {
    const workingDirectory = primaryDirectory(session.state);
    // Before the session is ready its work tree may not exist, and if its creation failed it never will.
    return workingDirectory === undefined || session.state.lifecycle !== 'ready'
      ? undefined
      : this.#context.folders.resolve(workingDirectory);
  }

  /** Does not throw: a folder that cannot be read must not stop an agent. The session shows what is wrong. */
  async #guard(session: URI, work: () => Promise<void>, level: 'warn' | 'debug' = 'warn'): Promise<void> {
    if (this.#isClosed) return;
    const unfinished = work().catch((error: unknown) => {
      // When the host stops, work is given up on purpose and done again after the restart.
      if (this.#isClosed) return;
      this.#context.log.write(level, 'changeset.record-failed', 'recording the changes of a turn failed', {
        error: String(error),
      });
      const channel = this.#context.door.channels.find('session', session);
      if (channel && error instanceof WorkspaceError)
        this.#showInMeta(channel, `Changes of this session are not tracked: ${error.message}`, undefined);
    });
    this.#unfinished.set(unfinished, session);
    await unfinished;
    this.#unfinished.delete(unfinished);
  }
}

const NOTHING_CHANGED: Counts = { additions: 0, deletions: 0, files: 0 };

interface EditorOf {
  readonly editor: FolderEditor;
}

/** Whether the changeset ends with the folder as it is now. */
function isOfFolder({ kind }: ChangesetSelector): boolean {
  return kind === 'uncommitted' || kind === 'branch';
}

/** The turns that a changeset names; none if it is about the session or the folder. */
function turnsIn(selector: ChangesetSelector): string[] {
  if (selector.kind === 'turn') return [selector.turnId];
  return selector.kind === 'compare-turns' ? [selector.originalTurnId, selector.modifiedTurnId] : [];
}

function pathsIn(changes: readonly FileChange[]): ReadonlySet<string> {
  const versions = changes.flatMap(({ before, after }) => [before, after]);
  return new Set(versions.flatMap((version) => version?.path ?? []));
}

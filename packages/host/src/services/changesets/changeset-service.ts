import {
  type ActionOf,
  type ChangesetSelector,
  type ChatState,
  changesetUri,
  parseChangesetUri,
  type ResourceReadResult,
  type SessionState,
  sessionUri,
  type URI,
} from '@ahpd/protocol';
import { type Channel, isKind } from '../../core/channel.js';
import { notFound } from '../../core/errors.js';
import type { CompareOptions, FileChange, NotKept, StateId, Workspace, Workspaces } from '../../ports/workspace.js';
import { encodeContent } from '../content/encoding.js';
import type { HostContext } from '../context.js';
import { baseBranchOf } from './base-branch.js';
import { markChangedBetween } from './between.js';
import { catalogue, sessionIdOf } from './catalogue.js';
import { ChangesetChannel } from './changeset-channel.js';
import { changesetFileId, parseFileVersionUri, toChangesetFile } from './files.js';
import { FolderQueue } from './operations/folder-queue.js';
import { OperationJournal } from './operations/journal.js';
import { type ShownChange, withNotes } from './operations/notes.js';
import { type DoneOperation, sessionShare } from './operations/session-share.js';
import type { Subject } from './operations/subject.js';
import { withoutSteps, withViews } from './operations/views.js';
import { pathNow, versionAt } from './pinned.js';
import { ChangeRecords, chain, type TurnRecord } from './records.js';
import { TurnWatch } from './turn-watch.js';

interface OpenChangeset {
  readonly changeset: ChangesetChannel;
  readonly session: URI;
  readonly workspace: Workspace;
  unwatch(): void;
}

/** Why there is nothing to read, for people. */
const NOT_KEPT: Record<NotKept['reason'], string> = {
  tooLarge: 'the file is too large: its content is not kept',
  storeFull: 'the content is not kept, because too much is kept of this folder already',
  unreadable: 'the host may not read the file',
  lost: 'the content is lost',
};

/** What agents change: remembered around each turn, and shown as changesets that stay live. */
export class ChangesetService {
  readonly #context: HostContext;
  readonly #workspaces: Workspaces;
  readonly #records: ChangeRecords;
  /** What operations did, which decides with the turns what a changeset shows. */
  readonly journal: OperationJournal;
  /** Whoever writes files for the host, or remembers a whole folder, does so alone: no state is half of an operation. */
  readonly writes = new FolderQueue();
  /** The turns that run now. */
  readonly #watched = new Map<string, { watch: TurnWatch; workspace: Workspace; unwatch: () => void }>();
  readonly #open = new Map<URI, OpenChangeset>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #ending = new Set<Promise<void>>();
  #isClosed = false;

  constructor(context: HostContext, workspaces: Workspaces) {
    this.#context = context;
    this.#workspaces = workspaces;
    this.#records = new ChangeRecords(context);
    this.journal = new OperationJournal(context);
    const { door } = context;
    door.subscriptions.onUnused((uri) => this.#release(uri));
    door.onCommitted(({ channel, action, before }) => {
      if (isKind(channel, 'session'))
        this.#reactToSession(channel, action as ActionOf<'session'>, before as SessionState);
      const turnId = isKind(channel, 'chat') ? (before as ChatState).activeTurn?.id : undefined;
      if (turnId !== undefined) this.#watched.get(turnId)?.watch.saw(action as ActionOf<'chat'>);
    });
  }

  /** Remembers the files before the agent gets to work; a turn that goes on after a restart keeps its beginning. */
  beginTurn(session: Channel<'session'>, turnId: string): Promise<void> {
    return this.#guard(async () => {
      const workspace = this.#workspaceOf(session);
      if (!workspace) return;
      this.#watchTurn(session, workspace, turnId);
      if (this.#records.turn(session.uri, turnId)) return;
      const begin = await this.#checkpoint(workspace);
      await workspace.keepNames(begin);
      this.#records.putTurn(session.uri, { turnId, begin });
      this.#refresh(session.uri);
    });
  }

  /** Remembers what the turn changed, with contents of the host's own; stored with the end of the turn. */
  endTurn(session: Channel<'session'>, turnId: string): Promise<void> {
    const ending = this.#guard(async () => {
      const workspace = this.#workspaceOf(session);
      const record = this.#records.turn(session.uri, turnId);
      if (!workspace || !record || record.end) return;
      const state = await this.#checkpoint(workspace);
      const files = await this.#ownChanges(workspace, turnId, await workspace.compare(record.begin, state));
      await workspace.keep(files);
      this.#unwatchTurn(turnId);
      this.#records.putTurn(session.uri, { ...record, end: { files, state } });
      await this.#publish(session, workspace);
      this.#refresh(session.uri);
    });
    this.#ending.add(ending);
    return ending.finally(() => this.#ending.delete(ending));
  }

  /** The channel of a changeset URI, opened for its first subscriber; undefined when there is no such changeset. */
  open(uri: URI): Channel<'changeset'> | undefined {
    const known = this.#open.get(uri);
    if (known) return known.changeset.channel;
    const { door } = this.#context;
    const parsed = parseChangesetUri(uri);
    const session = parsed && door.channels.load(sessionUri.format(parsed.sessionId));
    if (!isKind(session, 'session') || !this.#exists(session, parsed?.selector)) return undefined;
    const workspace = this.#workspaceOf(session);
    const selector = parsed?.selector;
    if (!workspace || !selector) return undefined;
    // Said as actions from the start: a client of an earlier life of the host gets them replayed and is right again.
    const channel = door.openEphemeral(uri, 'changeset', { status: 'computing', files: [] }, 0);
    door.commit(channel, { type: 'changeset/statusChanged', status: 'computing' });
    const folder = session.state.summary.workingDirectory ?? '';
    const changeset = new ChangesetChannel(channel, {
      door,
      clock: this.#context.clock,
      compute: (options) => this.#shown(session, workspace, selector, options),
      idOf: (change) => changesetFileId(folder, change),
      toFile: (change) => toChangesetFile(folder, workspace.id, change),
    });
    const unwatch = workspace.watch({ settled: () => void changeset.refresh() });
    this.#open.set(uri, { changeset, session: session.uri, workspace, unwatch });
    void changeset.refresh();
    return channel;
  }

  /** A changeset to work on, whether or not anybody watches it; undefined when there is no such changeset. */
  subject(uri: URI): Subject | undefined {
    const parsed = parseChangesetUri(uri);
    const session = parsed && this.#context.door.channels.load(sessionUri.format(parsed.sessionId));
    if (!isKind(session, 'session') || !parsed || !this.#exists(session, parsed.selector)) return undefined;
    const folderUri = session.state.summary.workingDirectory;
    const workspace = this.#workspaceOf(session);
    if (!workspace || folderUri === undefined) return undefined;
    const { selector } = parsed;
    return {
      uri: changesetUri(parsed.sessionId, selector),
      session,
      selector,
      folderUri,
      folder: this.#context.folders.resolve(folderUri),
      workspace,
      changes: () => this.#changes(session, workspace, selector),
      stateAfter: () =>
        selector.kind === 'turn' ? this.#records.turn(session.uri, selector.turnId)?.end?.state : undefined,
    };
  }

  /** A file as a turn left it or found it; undefined when no turn of the session changed it, or it is not kept. */
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

  /** Where a file is now that was at a path when a turn ended. */
  pathNow(session: URI, turnId: string, path: string): string {
    return pathNow(this.#records.turns(session), turnId, path);
  }

  /** The turns that run in a folder now. */
  runningIn(workspace: Workspace): string[] {
    return [...this.#watched].filter(([, watched]) => watched.workspace === workspace).map(([turnId]) => turnId);
  }

  /** An operation changed files: what the turns of the session did to them goes on from there. */
  operated({ session, workspace }: Subject, done: DoneOperation): Promise<void> {
    return this.#guard(async () => {
      const ended: (readonly FileChange[])[] = [];
      const running: (readonly FileChange[])[] = [];
      for (const record of this.#records.turns(session.uri)) {
        (record.end ? ended : running).push(await this.#filesOf(workspace, record));
      }
      const files = await sessionShare(done, ended, running);
      if (files.length > 0) this.#records.putOperation(session.uri, done.id, files, this.runningIn(workspace));
    });
  }

  /** Shows what an operation changed. */
  async changed({ session, workspace }: Subject): Promise<void> {
    await this.#guard(() => this.#publish(session, workspace));
    this.#refresh(session.uri);
  }

  /** The session ends: its changesets are emptied, said to be gone, and closed (decision 2). */
  endSession(session: URI): void {
    const { door } = this.#context;
    for (const [uri, open] of this.#open) {
      if (open.session !== session) continue;
      const { channel } = open.changeset;
      this.#forget(uri);
      door.commit(channel, { type: 'changeset/cleared' });
      door.commit(channel, { type: 'changeset/disposed' });
      door.end(channel as unknown as Channel);
    }
  }

  /** Whether turns run in it or somebody watches its changesets. */
  isInUse(workspace: Workspace): boolean {
    const isWatched = [...this.#watched.values()].some((watched) => watched.workspace === workspace);
    return isWatched || [...this.#open.values()].some((open) => open.workspace === workspace);
  }

  /** Resolves when all is remembered that turns which have ended did: no later life could tell it from what came after. */
  async turnsEnded(): Promise<void> {
    await Promise.all(this.#ending);
  }

  /** The host stops, and all else is given up: resolves when it has been. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const uri of [...this.#open.keys()]) this.#forget(uri);
    await Promise.all(this.#underWay);
    for (const turnId of [...this.#watched.keys()]) this.#unwatchTurn(turnId);
  }

  isContent(uri: URI): boolean {
    return parseFileVersionUri(uri) !== undefined;
  }

  async read(uri: URI, encoding?: ResourceReadResult['encoding']): Promise<ResourceReadResult> {
    const parsed = parseFileVersionUri(uri);
    const content = parsed && (await this.#workspaces.read(parsed.workspaceId, parsed.contentId));
    if (content instanceof Uint8Array) return encodeContent(content, encoding);
    throw content ? notFound(uri, NOT_KEPT[content.reason]) : notFound(uri);
  }

  #reactToSession(session: Channel<'session'>, action: ActionOf<'session'>, before: SessionState): void {
    if (action.type === 'session/ready') void this.#guard(() => this.#beginSession(session));
    const wasMeasuredAgainst = before.config?.values.baseBranch;
    if (action.type !== 'session/configChanged' || baseBranchOf(session) === wasMeasuredAgainst) return;
    const workspace = this.#workspaceOf(session);
    if (workspace) void this.#guard(() => this.#publish(session, workspace));
    for (const [uri, open] of this.#open) {
      if (open.session === session.uri && parseChangesetUri(uri)?.selector.kind === 'branch') open.changeset.restart();
    }
  }

  #checkpoint(workspace: Workspace): Promise<StateId> {
    return this.writes.run(workspace.id, () => workspace.checkpoint());
  }

  async #beginSession(session: Channel<'session'>): Promise<void> {
    const workspace = this.#workspaceOf(session);
    if (!workspace) return;
    if (!this.#records.session(session.uri).base) this.#records.putBase(session.uri, await workspace.checkpoint());
    await this.#publish(session, workspace);
  }

  async #publish(session: Channel<'session'>, workspace: Workspace): Promise<void> {
    const about = await workspace.describe(baseBranchOf(session));
    const changes = await this.#changes(session, workspace, { kind: 'session' });
    const changesets = catalogue(sessionIdOf(session.uri), about, changes);
    if (JSON.stringify(changesets) === JSON.stringify(session.state.changesets)) return;
    this.#context.door.commit(session, { type: 'session/changesetsChanged', changesets });
  }

  /** The changes with what is said of each file besides. */
  async #shown(
    session: Channel<'session'>,
    workspace: Workspace,
    selector: ChangesetSelector,
    options: CompareOptions,
  ): Promise<readonly ShownChange[]> {
    const changes = await this.#changes(session, workspace, selector, options);
    const tree = this.#workspaces.workTree(this.#context.folders.resolve(session.state.summary.workingDirectory ?? ''));
    const uri = changesetUri(sessionIdOf(session.uri), selector);
    return withNotes({ uri, selector }, { journal: this.journal, tree }, changes);
  }

  async #changes(
    session: Channel<'session'>,
    workspace: Workspace,
    selector: ChangesetSelector,
    options?: CompareOptions,
  ): Promise<readonly FileChange[]> {
    switch (selector.kind) {
      case 'turn': {
        const record = this.#records.turn(session.uri, selector.turnId);
        if (!record) return [];
        return this.#viewed(session, workspace, selector, await this.#filesOf(workspace, record, options));
      }
      case 'session':
        return this.#between(session, workspace, 0, Number.POSITIVE_INFINITY);
      case 'compare-turns': {
        const { turns } = this.#records.session(session.uri);
        const [from, to] = [turns.indexOf(selector.originalTurnId), turns.indexOf(selector.modifiedTurnId)];
        return this.#viewed(session, workspace, selector, await this.#between(session, workspace, from + 1, to + 1));
      }
      case 'uncommitted': {
        const from = (await workspace.reference('head')) ?? this.#records.session(session.uri).base;
        return from === undefined
          ? []
          : workspace.compare(from, await workspace.checkpoint({ asTold: options !== undefined }), options);
      }
      case 'branch': {
        const from = await workspace.reference('mergeBase', baseBranchOf(session));
        return from === undefined
          ? []
          : workspace.compare(from, await workspace.checkpoint({ asTold: options !== undefined }), options);
      }
    }
  }

  /** What is history is shown without what was taken back of it. */
  #viewed(
    session: Channel<'session'>,
    workspace: Workspace,
    selector: ChangesetSelector,
    changes: readonly FileChange[],
  ): Promise<readonly FileChange[]> {
    const { views } = this.journal.of(changesetUri(sessionIdOf(session.uri), selector));
    const all = views.flatMap((view) => view.changes);
    return withViews(workspace, changes, all);
  }

  /** What the turns from one place in the list up to another changed; backwards when the second comes first. */
  async #between(session: Channel<'session'>, workspace: Workspace, from: number, to: number): Promise<FileChange[]> {
    const turns = this.#records.turns(session.uri).slice(Math.min(from, to), Math.max(from, to));
    const lists = await Promise.all(turns.map((record) => this.#filesOf(workspace, record)));
    const { before, after } = chain(lists);
    const [older, newer] = await Promise.all([workspace.compose(before), workspace.compose(after)]);
    if (from > to) return workspace.compare(newer, older);
    return markChangedBetween(lists, await workspace.compare(older, newer));
  }

  /** What a turn changed: as it was recorded, or so far when it still runs. */
  async #filesOf(
    workspace: Workspace,
    { turnId, begin, end }: TurnRecord,
    options?: CompareOptions,
  ): Promise<readonly FileChange[]> {
    if (end) return end.files;
    const now = await workspace.checkpoint({ asTold: options !== undefined });
    return this.#ownChanges(workspace, turnId, await workspace.compare(begin, now, options));
  }

  /** What a turn changed of what changed while it ran; what operations did meanwhile is not its doing. */
  async #ownChanges(workspace: Workspace, turnId: string, changes: readonly FileChange[]): Promise<FileChange[]> {
    return this.#attributed(turnId, await withoutSteps(workspace, changes, this.journal.duringTurn(turnId)));
  }

  /** The changes that are the turn's own; where another turn was at work on the same file, it is named. */
  #attributed(turnId: string, changes: readonly FileChange[]): FileChange[] {
    const mine = this.#watched.get(turnId);
    if (!mine) return [...changes];
    const others = [...this.#watched].filter(([id, { workspace }]) => id !== turnId && workspace === mine.workspace);
    return changes
      .filter((change) => mine.watch.made(change))
      .map((change) => {
        const sharedWith = others.filter(([, { watch }]) => watch.touchedWhileBusy(change)).map(([id]) => id);
        return sharedWith.length > 0 ? { ...change, sharedWith } : change;
      });
  }

  #watchTurn(session: Channel<'session'>, workspace: Workspace, turnId: string): void {
    const folder = session.state.summary.workingDirectory ?? '';
    const watch = new TurnWatch(folder, () => this.#context.clock.now());
    const unwatch = workspace.watch({ touched: (paths) => watch.touched(paths) });
    this.#watched.set(turnId, { watch, workspace, unwatch });
  }

  #unwatchTurn(turnId: string): void {
    this.#watched.get(turnId)?.unwatch();
    this.#watched.delete(turnId);
  }

  #exists(session: Channel<'session'>, selector: ChangesetSelector | undefined): boolean {
    const isKnown = (turnId: string) => this.#records.turn(session.uri, turnId) !== undefined;
    if (selector?.kind === 'turn') return isKnown(selector.turnId);
    if (selector?.kind === 'compare-turns') return isKnown(selector.originalTurnId) && isKnown(selector.modifiedTurnId);
    return selector !== undefined;
  }

  #workspaceOf(session: Channel<'session'>): Workspace | undefined {
    const { workingDirectory } = session.state.summary;
    // Until then its work tree may not be there, and it never will be when that failed.
    return workingDirectory === undefined || session.state.lifecycle !== 'ready'
      ? undefined
      : this.#workspaces.open(this.#context.folders.resolve(workingDirectory));
  }

  #refresh(session: URI): void {
    for (const open of this.#open.values()) if (open.session === session) void open.changeset.refresh();
  }

  #release(uri: URI): void {
    if (!this.#open.has(uri)) return;
    this.#forget(uri);
    this.#context.door.channels.forget(uri);
  }

  #forget(uri: URI): void {
    const open = this.#open.get(uri);
    this.#open.delete(uri);
    open?.changeset.close();
    open?.unwatch();
  }

  /** A folder that cannot be looked at must not keep an agent from its work; the changesets say what is wrong. */
  async #guard(work: () => Promise<void>): Promise<void> {
    if (this.#isClosed) return;
    const underWay = work().catch((error: unknown) => {
      // When the host stops, it is given up; its next life does it again.
      if (!this.#isClosed) this.#context.log.write('warn', 'changes could not be remembered', { error: String(error) });
    });
    this.#underWay.add(underWay);
    await underWay;
    this.#underWay.delete(underWay);
  }
}

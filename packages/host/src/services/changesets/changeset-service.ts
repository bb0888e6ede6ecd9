import { type ChangesetSelector, changesetUri, parseChangesetUri, type URI } from '@ahpd/protocol';
import { type Channel, isKind } from '../../core/channel.js';
import { chatWithTurn } from '../../core/chat-turns.js';
import type { Committed } from '../../core/committed.js';
import { FolderError } from '../../ports/folders.js';
import type { FileChange, StateId, Workspace, Workspaces } from '../../ports/workspace.js';
import { KeyedQueue } from '../../queues/keyed-queue.js';
import { activityTeller } from '../activity.js';
import type { HostContext } from '../context.js';
import { STORE_RETRY_MS } from '../limits.js';
import { baseBranchOf } from './base-branch.js';
import { catalogue } from './catalogue.js';
import { ChangesetChannel } from './changeset-channel.js';
import { changesetFileId, toChangesetFile } from './files.js';
import { OperationJournal } from './journal.js';
import { withNotes } from './notes.js';
import { Offers } from './offers.js';
import { OpenChangesets } from './open-changesets.js';
import { pathNow, versionAt } from './pinned.js';
import { ChangeRecords } from './records.js';
import { type RunningTurn, RunningTurns } from './running-turns.js';
import { SessionChanges } from './session-changes.js';
import { type DoneOperation, sessionShare } from './session-share.js';
import type { Subject } from './subject.js';

/** Milliseconds for which nothing is said of reading a folder: most are read by then. */
const READING_QUIET_MS = 1_000;

/** What agents change: remembered around each turn, and shown as changesets that stay live. */
export class ChangesetService {
  readonly #context: HostContext;
  readonly #workspaces: Workspaces;
  readonly #records: ChangeRecords;
  /** What operations did, which decides with the turns what a changeset shows. */
  readonly journal: OperationJournal;
  /** Whoever writes files for the host, or remembers a whole folder, does so alone: no state is half of an operation. */
  readonly writes = new KeyedQueue();
  readonly #running: RunningTurns;
  readonly #changes: SessionChanges;
  readonly #open: OpenChangesets;
  readonly #offers: Offers;
  /** What is looked at and remembered, for which session. */
  readonly #underWay = new Map<Promise<void>, URI>();
  readonly #ending = new Set<Promise<void>>();
  #isClosed = false;

  constructor(context: HostContext, workspaces: Workspaces) {
    this.#context = context;
    this.#workspaces = workspaces;
    this.#records = new ChangeRecords(context);
    this.journal = new OperationJournal(context);
    this.#running = new RunningTurns(context.clock);
    this.#changes = new SessionChanges(context.door.channels, this.#records, this.journal, this.#running);
    const { door } = context;
    this.#open = new OpenChangesets(context);
    this.#offers = new Offers(context, (session, failures) => this.#offer(session, failures));
    door.onCommitted('session', (committed) => this.#reactToSession(committed));
    door.onCommitted('chat', ({ channel, action, before }) => {
      if (action.type === 'chat/truncated') this.#endChangesetsOfLostTurns(door.channels.sessionOf(channel));
      const turnId = before.activeTurn?.id;
      const session = turnId === undefined ? undefined : door.channels.sessionOf(channel)?.uri;
      if (turnId !== undefined && session !== undefined) this.#running.saw({ session, turnId }, action);
    });
    door.onLost((lost) => {
      const behind = lost.filter(({ action }) => action.type === 'session/changesetsChanged');
      for (const { channel } of behind)
        context.clock.setTimeout(() => isKind(channel, 'session') && this.#publishAgain(channel), STORE_RETRY_MS);
    });
  }

  /** Remembers the files before the agent gets to work; a turn that goes on after a restart keeps its beginning. */
  beginTurn(session: Channel<'session'>, turnId: string, resumed: boolean): Promise<void> {
    return this.#guard(session.uri, async () => {
      const workspace = this.#workspaceOf(session);
      if (!workspace) return;
      if (!resumed) await this.#makeWay(session, turnId);
      this.#running.watch({ session: session.uri, turnId }, session.state.summary.workingDirectory ?? '', workspace);
      if (this.#records.turn(session.uri, turnId)) return;
      const begin = await this.#checkpoint(session, workspace);
      await workspace.keepNames(begin);
      this.#records.putTurn(session.uri, { turnId, begin });
      this.#open.refresh(session.uri);
    });
  }

  /** Remembers what the turn changed, with contents of the host's own; stored with the end of the turn. */
  endTurn(session: Channel<'session'>, turnId: string): Promise<void> {
    const turn = { session: session.uri, turnId };
    const ending = this.#guard(session.uri, async () => {
      const workspace = this.#workspaceOf(session);
      const record = this.#records.turn(session.uri, turnId);
      if (!workspace || !record || record.end) return;
      const state = await this.#checkpoint(session, workspace);
      const files = await this.#changes.ownOf(workspace, turn, await workspace.compare(record.begin, state));
      await workspace.keep(files);
      this.#running.unwatch(turn);
      this.#records.putTurn(session.uri, { ...record, end: { files, state } });
      await this.#publish(session, workspace);
      this.#open.refresh(session.uri);
    });
    this.#ending.add(ending);
    return ending.finally(() => {
      this.#ending.delete(ending);
      this.#running.unwatch(turn); // also when it could not be remembered: it does not run any more
    });
  }

  /** The channel of a changeset URI, opened for its first subscriber; undefined when there is no such changeset. */
  open(uri: URI): Channel<'changeset'> | undefined {
    const known = this.#open.get(uri);
    if (known) return known;
    const subject = this.#subjectIfThere(uri);
    if (!subject) return undefined;
    const { session, workspace, selector, folder, folderUri } = subject;
    const { door, clock, log } = this.#context;
    const editor = this.#workspaces.editor(folder);
    // Said as actions from the start: a client of an earlier life of the host gets them replayed and is right again.
    const channel = door.openEphemeral(uri, 'changeset', { status: 'computing', files: [] }, 0);
    door.commit(channel, { type: 'changeset/statusChanged', status: 'computing' });
    const changeset = new ChangesetChannel(channel, {
      door,
      clock,
      log,
      compute: async (options) => {
        const changes = await this.#changes.of(session, workspace, selector, options);
        return withNotes(subject, { journal: this.journal, editor }, changes);
      },
      idOf: (change) => changesetFileId(folderUri, change),
      toFile: (change) => toChangesetFile(folderUri, workspace.id, change),
    });
    this.#open.add({ changeset, session: session.uri, workspace });
    return channel;
  }

  /** A changeset to work on, whether or not anybody watches it; undefined when there is no such changeset. */
  subject(uri: URI): Subject | undefined {
    const parsed = parseChangesetUri(uri);
    const session = parsed && this.#context.door.channels.load(parsed.session);
    if (!isKind(session, 'session') || !parsed || !this.#exists(session, parsed.selector)) return undefined;
    const folderUri = session.state.summary.workingDirectory;
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
      changes: () => this.#changes.of(session, workspace, selector),
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
  runningIn(workspace: Workspace): RunningTurn[] {
    return this.#running.in(workspace);
  }

  /** An operation changed files: what the turns of the session did to them goes on from there. */
  operated({ session, workspace }: Subject, done: DoneOperation): Promise<void> {
    return this.#guard(session.uri, async () => {
      const ended: (readonly FileChange[])[] = [];
      const running: (readonly FileChange[])[] = [];
      for (const record of this.#records.turns(session.uri)) {
        (record.end ? ended : running).push(await this.#changes.ofTurn(session.uri, workspace, record));
      }
      const files = await sessionShare(done, ended, running);
      if (files.length > 0) this.#records.putOperation(session.uri, done.id, files, this.runningIn(workspace));
    });
  }

  /** Shows what an operation changed. */
  async changed({ session: { uri }, workspace }: Subject): Promise<void> {
    await this.#guard(uri, async () => {
      const session = this.#context.door.channels.find('session', uri); // it may have left memory while the operation ran
      if (session) await this.#publish(session, workspace);
    });
    this.#open.refresh(uri);
  }

  /** The session ends, and its changesets with it. */
  sessionDisposed(session: URI): void {
    this.#open.end(session);
  }

  /** The session is back. A turn that ended with it may not have been remembered to its end, nor been counted. */
  restored(session: Channel<'session'>): Promise<void> {
    const unfinished = this.#records.turns(session.uri).filter(({ end }) => !end);
    return this.#guard(session.uri, async () => {
      await this.turnsEnded();
      for (const { turnId } of unfinished) await this.endTurn(session, turnId);
      const workspace = this.#workspaceOf(session);
      if (workspace) await this.#publish(session, workspace);
    });
  }

  /** Whether turns run in it or somebody watches its changesets. */
  isInUse(workspace: Workspace): boolean {
    return this.runningIn(workspace).length > 0 || this.#open.areIn(workspace);
  }

  /** Whether a session waits for what is looked at or remembered, and has to be there to be told. */
  isBusyFor(session: URI): boolean {
    return [...this.#underWay.values()].includes(session);
  }

  /** Resolves when all is remembered that turns which have ended did: no later life could tell it from what came after. */
  async turnsEnded(): Promise<void> {
    await Promise.all(this.#ending);
  }

  /** The host stops, and all else is given up: resolves when it has been. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#open.closeAll();
    await Promise.all(this.#underWay.keys());
    this.#running.unwatchAll();
  }

  #reactToSession({ channel: session, action, before }: Committed<'session'>): void {
    if (action.type === 'session/ready') this.#offers.begin(session);
    if (action.type === 'session/chatRemoved') this.#endChangesetsOfLostTurns(session);
    const wasMeasuredAgainst = before.config?.values.baseBranch;
    if (action.type !== 'session/configChanged' || baseBranchOf(session) === wasMeasuredAgainst) return;
    const workspace = this.#workspaceOf(session);
    if (workspace) void this.#guard(session.uri, () => this.#publish(session, workspace));
    for (const changeset of this.#open.of(session.uri)) {
      if (parseChangesetUri(changeset.channel.uri)?.selector.kind === 'branch') changeset.restart();
    }
  }

  #checkpoint(session: Channel<'session'>, workspace: Workspace): Promise<StateId> {
    return this.writes.run(workspace.id, () => this.#look(session, workspace));
  }

  /** The first look at a large folder takes a while, and the agent waits for it. */
  async #look(session: Channel<'session'>, workspace: Workspace): Promise<StateId> {
    const activity = activityTeller(this.#context, session, { quietMs: READING_QUIET_MS });
    const onProgress = (files: number, of: number) => activity.say(`Reading the folder: ${files} of ${of} files`);
    try {
      return await workspace.checkpoint({ onProgress });
    } finally {
      activity.end();
    }
  }

  /** Whether it need not be tried again. */
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
      const first = this.#records.turns(session.uri).find(({ begin }) => begin !== ''); // where a turn came before this
      this.#records.putBase(session.uri, first?.begin ?? (await this.#look(session, workspace)));
    }
    await this.#publish(session, workspace);
  }

  #publishAgain(session: Channel<'session'>): void {
    if (!this.#context.door.isOpen(session)) return;
    void this.#guard(session.uri, async () => {
      const workspace = this.#workspaceOf(session);
      if (workspace) await this.#publish(session, workspace);
    });
  }

  async #publish(session: Channel<'session'>, workspace: Workspace): Promise<void> {
    const about = await workspace.describe(baseBranchOf(session));
    const changes = await this.#changes.of(session, workspace, { kind: 'session' });
    const changesets = catalogue(session.uri, about, changes);
    if (JSON.stringify(changesets) === JSON.stringify(session.state.changesets)) return;
    this.#context.door.commit(session, { type: 'session/changesetsChanged', changesets });
  }

  /** Without its folder there is no changeset: one of many that a client comes back to, and no reason to refuse the others. */
  #subjectIfThere(uri: URI): Subject | undefined {
    try {
      return this.subject(uri);
    } catch (error) {
      if (error instanceof FolderError) return undefined;
      throw error;
    }
  }

  /** There are changesets of the turns that the chats have (OQ-57, OQ-80), whatever is recorded of them or of others. */
  #exists(session: Channel<'session'>, selector: ChangesetSelector): boolean {
    return turnsIn(selector).every((turnId) => chatWithTurn(this.#context.door.channels, session.state, turnId));
  }

  #endChangesetsOfLostTurns(session: Channel<'session'> | undefined): void {
    if (!session || !this.#context.door.isOpen(session)) return;
    this.#open.end(session.uri, (uri) => {
      const parsed = parseChangesetUri(uri);
      return parsed !== undefined && !this.#exists(session, parsed.selector);
    });
  }

  /** Before a new turn begins: an earlier one may have had its id, and the death of the host may have left some without end. */
  async #makeWay(session: Channel<'session'>, turnId: string): Promise<void> {
    const active = (id: string) =>
      chatWithTurn(this.#context.door.channels, session.state, id)?.state.activeTurn?.id === id;
    for (const record of this.#records.turns(session.uri)) {
      if (record.end || this.#running.has({ session: session.uri, turnId: record.turnId })) continue;
      if (record.turnId === turnId || !active(record.turnId)) await this.endTurn(session, record.turnId);
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
    const { workingDirectory } = session.state.summary;
    // Until then its work tree may not be there, and it never will be when that failed.
    return workingDirectory === undefined || session.state.lifecycle !== 'ready'
      ? undefined
      : this.#context.folders.resolve(workingDirectory);
  }

  /** A folder that cannot be looked at must not keep an agent from its work; the changesets say what is wrong. */
  async #guard(session: URI, work: () => Promise<void>, level: 'warn' | 'debug' = 'warn'): Promise<void> {
    if (this.#isClosed) return;
    const underWay = work().catch((error: unknown) => {
      // When the host stops, it is given up; its next life does it again.
      if (!this.#isClosed) this.#context.log.write(level, 'changes could not be remembered', { error: String(error) });
    });
    this.#underWay.set(underWay, session);
    await underWay;
    this.#underWay.delete(underWay);
  }
}

/** The turns that a changeset is about; none when it is about the session or the folder. */
function turnsIn(selector: ChangesetSelector): string[] {
  if (selector.kind === 'turn') return [selector.turnId];
  return selector.kind === 'compare-turns' ? [selector.originalTurnId, selector.modifiedTurnId] : [];
}

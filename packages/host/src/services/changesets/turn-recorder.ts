import { type ChangesetSelector, changesetUri, primaryDirectory, type URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import { chatWithTurn } from '../../core/chat-turns.js';
import type { Committed } from '../../core/committed.js';
import type { EditStep } from '../../ports/folder-editor.js';
import type { FileChange, Workspace } from '../../ports/workspace.js';
import type { HostContext } from '../context.js';
import { checkpointWithActivity } from './checkpoint-with-activity.js';
import type { Elsewhere } from './elsewhere.js';
import type { OperationJournal } from './journal.js';
import type { OpenChangesets } from './open-changesets.js';
import type { Publisher } from './publisher.js';
import type { ChangeRecords, RecordedChange } from './records.js';
import type { RunningTurn, RunningTurns } from './running-turns.js';
import type { SessionChanges } from './session-changes.js';
import type { SessionFolders } from './session-folders.js';
import type { SessionWork } from './session-work.js';

export interface TurnRecorderOptions {
  readonly folders: SessionFolders;
  readonly records: ChangeRecords;
  readonly journal: OperationJournal;
  readonly running: RunningTurns;
  readonly changes: SessionChanges;
  readonly elsewhere: Elsewhere;
  readonly work: SessionWork;
  readonly publisher: Publisher;
  readonly open: OpenChangesets;
}

/** An operation that changed files, and what it did on disk. */
interface DoneOperation {
  readonly id: string;
  readonly steps: readonly EditStep[];
}

/** Records what agents change in each turn, and what operations make of it. */
export class TurnRecorder {
  readonly #context: HostContext;
  readonly #options: TurnRecorderOptions;
  /** The calls of `end` that have not finished. */
  readonly #ending = new Set<Promise<void>>();

  constructor(context: HostContext, options: TurnRecorderOptions) {
    this.#context = context;
    this.#options = options;
  }

  onChat({ channel, action, before }: Committed<'chat'>): void {
    const turnId = before.activeTurn?.id;
    const session = turnId === undefined ? undefined : this.#context.door.channels.sessionOf(channel)?.uri;
    if (turnId === undefined || session === undefined) return;
    const { running, elsewhere } = this.#options;
    running.observe({ session, turnId }, action);
    if (action.type !== 'chat/toolCallComplete' || !action.result.success) return;
    for (const content of action.result.content ?? [])
      if (content.type === 'fileEdit') elsewhere.reported({ session, turnId }, content);
  }

  /** Records the state of the files before the agent starts. A turn resumed after a restart keeps its first record. */
  begin(session: Channel<'session'>, chat: URI, turnId: string, resumed: boolean): Promise<void> {
    const { folders, records, running, elsewhere, work, open } = this.#options;
    return work.run(session.uri, async () => {
      const workspace = folders.workspaceOf(session);
      if (!workspace) return;
      if (!resumed) await this.#prepareRecords(session, turnId);
      const turn = { session: session.uri, turnId };
      running.watch(turn, primaryDirectory(session.state) ?? '', workspace, this.#parentOf(session, turnId));
      if (records.turn(session.uri, turnId)) return;
      const startedAt = running.moment();
      const begin = await checkpointWithActivity(this.#context, session, workspace);
      running.began(turn, begin, startedAt);
      await workspace.keepNames(begin);
      await elsewhere.begin(turn, folders.pathOf(session) ?? '', workspace, begin);
      records.putTurn(session.uri, { turnId, chat, begin });
      open.refresh(session.uri);
    });
  }

  /** Records what the turn changed, with its contents in the host's own store. Stored with the end of the turn. */
  end(session: Channel<'session'>, turnId: string): Promise<void> {
    const { folders, records, running, changes, elsewhere, work, publisher, open } = this.#options;
    const turn = { session: session.uri, turnId };
    const ending = work.run(session.uri, async () => {
      const workspace = folders.workspaceOf(session);
      const record = records.turn(session.uri, turnId);
      if (!workspace || !record || record.end) return;
      const startedAt = running.moment();
      const state = await checkpointWithActivity(this.#context, session, workspace);
      running.looked(turn, state, startedAt);
      const own = await changes.ownOf(workspace, turn, await workspace.compare(record.begin, state), state);
      const at = running.moment();
      const files = own.map((change) => (change.at === undefined ? { ...change, at } : change));
      await workspace.keep(files.flatMap((change) => [change, ...(change.steps ?? [])]));
      await elsewhere.end(turn, {
        workspace,
        folder: folders.pathOf(session) ?? '',
        folderUri: primaryDirectory(session.state) ?? '',
        begin: record.begin,
        end: state,
        touched: running.touchedBy(turn),
      });
      running.unwatch(turn);
      records.putTurn(session.uri, { ...record, end: { files, state } });
      await publisher.publish(session, workspace);
      open.refresh(session.uri);
    });
    this.#ending.add(ending);
    return ending.finally(() => {
      this.#ending.delete(ending);
      running.unwatch(turn); // also if recording failed: the turn no longer runs
      elsewhere.forget(turn);
    });
  }

  /**
   * Resolves when the changes of all ended turns are recorded. After a restart the host could not tell them from later
   * changes.
   */
  async allEnded(): Promise<void> {
    await Promise.all(this.#ending);
  }

  /** The turns that run in a folder. */
  runningIn(workspace: Workspace): RunningTurn[] {
    return this.#options.running.in(workspace);
  }

  /** Completes the records of turns that ended when the session was disposed, and publishes its changesets again. */
  restored(session: Channel<'session'>): Promise<void> {
    const { folders, records, work, publisher } = this.#options;
    const unfinished = records.turns(session.uri).filter(({ end }) => !end);
    return work.run(session.uri, async () => {
      await this.allEnded();
      for (const { turnId } of unfinished) await this.end(session, turnId);
      const workspace = folders.workspaceOf(session);
      if (workspace) await publisher.publish(session, workspace);
    });
  }

  /** Records what an operation did to files that turns of the session changed, so that the session's changes add up. */
  operated(workspace: Workspace, session: URI | undefined, { id, steps }: DoneOperation): Promise<void> {
    const { records, running, work } = this.#options;
    const at = running.operated(workspace, steps);
    if (session === undefined) return Promise.resolve();
    return work.run(session, async () => {
      const turns = records.turns(session);
      const isRunning = turns.some(({ end }) => !end); // it may have changed any of the files
      const known = pathsIn(turns.flatMap(({ end }) => end?.files ?? []));
      const files = steps
        .filter(({ path }) => isRunning || known.has(path))
        .map(({ from, to }): RecordedChange => ({ at, ...(from && { before: from }), ...(to && { after: to }) }));
      if (files.length > 0) records.putOperation(session, id, files, running.in(workspace));
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
    const { records, running, journal } = this.#options;
    const isActive = (id: string) =>
      chatWithTurn(this.#context.door.channels, session.state, id)?.state.activeTurn?.id === id;
    for (const record of records.turns(session.uri)) {
      if (record.end || running.has({ session: session.uri, turnId: record.turnId })) continue;
      if (record.turnId === turnId || !isActive(record.turnId)) await this.end(session, record.turnId);
    }
    if (!records.turn(session.uri, turnId)) return;
    const others = records.session(session.uri).turns;
    const selectors: ChangesetSelector[] = [
      { kind: 'turn', turnId },
      ...others.flatMap((other): ChangesetSelector[] => [
        { kind: 'compare-turns', originalTurnId: turnId, modifiedTurnId: other },
        { kind: 'compare-turns', originalTurnId: other, modifiedTurnId: turnId },
      ]),
    ];
    const uris = selectors.map((selector) => changesetUri(session.uri, selector));
    journal.forgetTurn({ session: session.uri, turnId }, uris);
    records.retireTurn(session.uri, turnId);
  }
}

function pathsIn(changes: readonly FileChange[]): ReadonlySet<string> {
  const versions = changes.flatMap(({ before, after }) => [before, after]);
  return new Set(versions.flatMap((version) => version?.path ?? []));
}

import { type ChangesetSelector, changesetUri, type URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { Committed } from '../../core/committed.js';
import type { HostContext } from '../context.js';
import { checkpointWithActivity } from './checkpoint-with-activity.js';
import type { Elsewhere, TurnFolder } from './elsewhere.js';
import type { OperationJournal } from './journal.js';
import type { LiveElsewhere } from './live-elsewhere.js';
import type { OpenChangesets } from './open-changesets.js';
import type { Publisher } from './publisher.js';
import type { ChangeRecords, TurnRecord } from './records.js';
import type { RunningTurn, RunningTurns } from './running-turns.js';
import type { SessionChanges } from './session-changes.js';
import type { SessionFolder, SessionFolders } from './session-folders.js';
import type { SessionWork } from './session-work.js';

export interface TurnRecorderOptions {
  readonly folders: SessionFolders;
  readonly records: ChangeRecords;
  readonly journal: OperationJournal;
  readonly running: RunningTurns;
  readonly changes: SessionChanges;
  readonly elsewhere: Elsewhere;
  readonly live: LiveElsewhere;
  readonly work: SessionWork;
  readonly publisher: Publisher;
  readonly open: OpenChangesets;
}

/** What a turn that has ended changed in a folder. */
interface EndedTurn {
  readonly folder: SessionFolder;
  readonly record: TurnRecord;
  readonly at: TurnFolder;
}

/** Records what agents change in each turn. */
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
    const { running, elsewhere, live } = this.#options;
    running.observe({ session, turnId }, action);
    if (action.type !== 'chat/toolCallComplete' || !action.result.success) return;
    for (const content of action.result.content ?? [])
      if (content.type === 'fileEdit') elsewhere.reported({ session, turnId }, content);
    live.reported({ session, turnId });
  }

  /** Records the state of the files before the agent starts. A turn resumed after a restart keeps its first record. */
  begin(session: Channel<'session'>, chat: URI, turnId: string, resumed: boolean): Promise<void> {
    const { folders, running, work, open, live } = this.#options;
    return work.run(session.uri, async () => {
      const all = folders.of(session);
      if (all.length === 0) return;
      if (!resumed) await this.#prepareRecords(session, all, turnId);
      running.watch({ session: session.uri, turnId }, all, this.#parentOf(session, turnId));
      // Each by itself: a folder that cannot be read must not keep the others from being recorded.
      await Promise.all(
        all.map((folder) => work.run(session.uri, () => this.#beginIn(session, folder, { turnId, chat }))),
      );
      live.begin({ session: session.uri, turnId }, all);
      open.refresh(session.uri);
    });
  }

  async #beginIn(
    session: Channel<'session'>,
    folder: SessionFolder,
    record: Pick<TurnRecord, 'turnId' | 'chat'>,
  ): Promise<void> {
    const { records, running, elsewhere } = this.#options;
    const { workspace, path } = folder;
    const turn = { session: session.uri, turnId: record.turnId };
    if (records.turn(folder, record.turnId)) return;
    const startedAt = running.moment();
    const begin = await checkpointWithActivity(this.#context, session, workspace);
    running.began(turn, workspace, begin, startedAt);
    await workspace.keepNames(begin);
    await elsewhere.begin(turn, path, workspace, begin);
    records.putTurn(folder, { ...record, begin });
  }

  /** Records what the turn changed, with its contents in the host's own store. Stored with the end of the turn. */
  end(session: Channel<'session'>, turnId: string): Promise<void> {
    const { folders, records, running, elsewhere, work, publisher, open, live } = this.#options;
    const turn = { session: session.uri, turnId };
    live.end(turn);
    const ending = work.run(session.uri, async () => {
      const ended: EndedTurn[] = [];
      await Promise.all(
        folders.of(session).map((folder) =>
          work.run(session.uri, async () => {
            const one = await this.#endIn(session, folder, turn);
            if (one) ended.push(one);
          }),
        ),
      );
      if (ended.length === 0) return;
      await elsewhere.end(
        turn,
        ended.map(({ at }) => at),
      );
      running.unwatch(turn);
      for (const { folder, record } of ended) records.putTurn(folder, record);
      await publisher.publish(session);
      open.refresh(session.uri);
    });
    this.#ending.add(ending);
    return ending.finally(() => {
      this.#ending.delete(ending);
      running.unwatch(turn); // also if recording failed: the turn no longer runs
      elsewhere.forget(turn);
    });
  }

  /** What the turn changed in a folder; undefined if that is recorded already, or the turn has not begun there. */
  async #endIn(session: Channel<'session'>, folder: SessionFolder, turn: RunningTurn): Promise<EndedTurn | undefined> {
    const { records, running, changes } = this.#options;
    const { workspace } = folder;
    const record = records.turn(folder, turn.turnId);
    if (!record || record.end) return undefined;
    const startedAt = running.moment();
    const state = await checkpointWithActivity(this.#context, session, workspace);
    running.sawState(turn, workspace, state, startedAt);
    const own = await changes.ownOf(folder, turn, await workspace.compare(record.begin, state), state);
    const at = running.moment();
    const files = own.map((change) => (change.at === undefined ? { ...change, at } : change));
    await workspace.keep(files.flatMap((change) => [change, ...(change.steps ?? [])]));
    return {
      folder,
      record: { ...record, end: { files, state } },
      at: {
        workspace,
        folder: folder.path,
        folderUri: folder.uri,
        begin: record.begin,
        end: state,
        touched: running.touchedBy(turn, workspace),
      },
    };
  }

  /**
   * Resolves when the changes of all ended turns are recorded. After a restart the host could not tell them from later
   * changes.
   */
  async allEnded(): Promise<void> {
    await Promise.all(this.#ending);
  }

  /** Completes the records of turns that ended when the session was disposed, and publishes its changesets again. */
  restored(session: Channel<'session'>): Promise<void> {
    const { folders, records, work, publisher } = this.#options;
    return work.run(session.uri, async () => {
      const unfinished = folders.of(session).flatMap((folder) => records.turns(folder).filter(({ end }) => !end));
      await this.allEnded();
      for (const turnId of new Set(unfinished.map((record) => record.turnId))) await this.end(session, turnId);
      await publisher.publish(session);
    });
  }

  /** The turn whose sub-agent works on this one. */
  #parentOf(session: Channel<'session'>, turnId: string): RunningTurn | undefined {
    const { channels } = this.#context.door;
    const origin = channels.chatWithTurn(session.state, turnId)?.state.origin;
    const parent = origin?.kind === 'tool' ? channels.find('chat', origin.chat)?.state.activeTurn : undefined;
    return parent && { session: session.uri, turnId: parent.id };
  }

  /**
   * Prepares the records for a new turn: completes those that a crash of the host left without an end, and retires the
   * record of an earlier turn with the same id.
   */
  async #prepareRecords(session: Channel<'session'>, folders: readonly SessionFolder[], turnId: string): Promise<void> {
    const { records, running, journal } = this.#options;
    const isActive = (id: string) =>
      this.#context.door.channels.chatWithTurn(session.state, id)?.state.activeTurn?.id === id;
    for (const record of folders.flatMap((folder) => records.turns(folder))) {
      if (record.end || running.has({ session: session.uri, turnId: record.turnId })) continue;
      if (record.turnId === turnId || !isActive(record.turnId)) await this.end(session, record.turnId);
    }
    const reused = folders.filter((folder) => records.turn(folder, turnId));
    if (reused.length === 0) return;
    const others = new Set(reused.flatMap((folder) => records.session(folder).turns));
    const selectors: ChangesetSelector[] = [
      { kind: 'turn', turnId },
      ...[...others].flatMap((other): ChangesetSelector[] => [
        { kind: 'compare-turns', originalTurnId: turnId, modifiedTurnId: other },
        { kind: 'compare-turns', originalTurnId: other, modifiedTurnId: turnId },
      ]),
    ];
    const uris = selectors.map((selector) => changesetUri(session.uri, selector));
    journal.forgetTurn({ session: session.uri, turnId }, uris);
    for (const folder of reused) records.retireTurn(folder, turnId);
  }
}

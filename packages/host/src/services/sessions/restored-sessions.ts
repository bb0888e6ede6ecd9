import { AhpErrorCodes, type DisposedSession, ExtensionMeta, RpcError, type URI } from '@moorage/protocol';
import { type Channel, isKind } from '../../core/channel.js';
import { invalidRequest, sessionNotFound } from '../../core/errors.js';
import { chatSummaryOf } from '../../core/summary.js';
import type { DisposedChannel } from '../../ports/store.js';
import type { HostContext } from '../context.js';
import type { RootService } from '../root/root-service.js';
import type { WorktreeService } from '../worktrees/worktree-service.js';
import { type DisposedChats, forgetChats, rememberedChats } from './disposed-chats.js';

/** Restores sessions that were disposed and not purged yet. */
export class RestoredSessions {
  readonly #context: HostContext;
  readonly #root: RootService;
  readonly #worktrees: WorktreeService | undefined;
  #onRestored: (channels: readonly Channel[]) => void = () => {};

  constructor(context: HostContext, root: RootService, worktrees: WorktreeService | undefined) {
    this.#context = context;
    this.#root = root;
    this.#worktrees = worktrees;
  }

  /** Called once a session is restored, with its channels as they were when it was disposed. */
  connect(onRestored: (channels: readonly Channel[]) => void): void {
    this.#onRestored = onRestored;
  }

  /** The sessions that can be restored, most recently disposed first. */
  list(): DisposedSession[] {
    const { keepDisposedSessionsMs } = this.#root.settings;
    return this.#context.store.sessions
      .listDisposed()
      .map(({ summary, disposedAt }) => ({ summary, disposedAt, keptUntil: disposedAt + keepDisposedSessionsMs }));
  }

  /** Restores a session, or throws and changes nothing if it was not disposed or its data is gone. */
  restore(uri: URI): void | Promise<void> {
    const stored = this.#stored(uri);
    const settling = this.#worktrees?.settling(uri);
    if (!settling) return this.#restore(uri, stored);
    // If its work tree is being removed, wait for that: otherwise it would vanish under the restored session.
    return settling
      .then(() => this.#context.door.stored()) // only then can the outcome be read
      .then(() => this.#restore(uri, this.#stored(uri)));
  }

  #stored(uri: URI): readonly DisposedChannel[] {
    const { door, store } = this.#context;
    if (door.channels.has(uri)) {
      throw new RpcError(AhpErrorCodes.SessionAlreadyExists, `session ${uri} has not been disposed; it still exists`);
    }
    const stored = store.sessions.readDisposed(uri);
    if (stored.some((channel) => channel.uri === uri && channel.kind === 'session')) return stored;
    const message = `there is no session ${uri} to restore: it never existed, or its data has been purged`;
    throw new RpcError(AhpErrorCodes.SessionNotFound, message);
  }

  /** One tick brings back the session with its chats, or nothing. So everything that can throw comes first. */
  #restore(uri: URI, stored: readonly DisposedChannel[]): void {
    const { door } = this.#context;
    if (this.#worktrees?.isRemoving(uri)) throw invalidRequest(`the work tree of session ${uri} is being removed`);
    const hasWorktree = this.#worktrees?.hasOne(uri) ?? false;
    const remembered = rememberedChats(this.#context, uri);
    const channels = door.restore(uri, stored);
    const session = door.channels.find('session', uri);
    if (!session) throw sessionNotFound(uri);
    door.announceSession(session);
    this.#root.sessionAdded();
    this.#listChats(session, channels, remembered);
    if (hasWorktree) this.#forgetWorktreeFate(session);
    door.afterwards(() => this.#onRestored(channels));
  }

  /**
   * Lists the chats again with actions, as they were removed with actions: a client that was away for both replays
   * both.
   */
  #listChats(session: Channel<'session'>, channels: readonly Channel[], { chats, defaultChat }: DisposedChats): void {
    const { door } = this.#context;
    for (const channel of channels) {
      if (!isKind(channel, 'chat')) continue;
      const summary = chats.find(({ resource }) => resource === channel.uri) ?? chatSummaryOf(channel.state);
      door.commit(session, { type: 'session/chatAdded', summary });
    }
    const shown = defaultChat ?? session.state.chats[0]?.resource;
    if (shown !== undefined) door.commit(session, { type: 'session/defaultChatChanged', defaultChat: shown });
    forgetChats(this.#context, session.uri);
  }

  /** Drops what `_meta` says of the work tree: it was set at disposal, and is out of date if the work tree still exists. */
  #forgetWorktreeFate(session: Channel<'session'>): void {
    const { [ExtensionMeta.worktree]: fate, ..._meta } = session.state._meta ?? {};
    if (fate !== undefined) this.#context.door.commit(session, { type: 'session/metaChanged', _meta });
  }
}

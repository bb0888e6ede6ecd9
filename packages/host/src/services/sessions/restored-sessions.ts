import { AhpErrorCodes, type DisposedSession, RpcError, type SessionState, type URI } from '@ahpd/protocol';
import { type Channel, isKind } from '../../core/channel.js';
import { invalidRequest, sessionNotFound } from '../../core/errors.js';
import { chatSummaryOf } from '../../core/summary.js';
import type { DisposedChannel } from '../../ports/store.js';
import type { HostContext } from '../context.js';
import type { RootService } from '../root/root-service.js';
import type { WorktreeService } from '../worktrees/worktree-service.js';
import { forgetChats, type RemovedChats, rememberedChats } from './removed-chats.js';

/** Brings sessions back that were removed and not purged yet. */
export class RestoredSessions {
  readonly #context: HostContext;
  readonly #root: RootService;
  readonly #worktrees: WorktreeService | undefined;
  readonly #onRestored: ((channels: readonly Channel[]) => void)[] = [];

  constructor(context: HostContext, root: RootService, worktrees: WorktreeService | undefined) {
    this.#context = context;
    this.#root = root;
    this.#worktrees = worktrees;
  }

  /** Called once a session is back: what it says is as old as its end. */
  onRestored(listener: (channels: readonly Channel[]) => void): void {
    this.#onRestored.push(listener);
  }

  /** What can be restored, the latest removal first. */
  list(): DisposedSession[] {
    const { keepEndedSessionsMs } = this.#root.settings;
    return this.#context.store.sessions
      .listDisposed()
      .map(({ summary, disposedAt }) => ({ summary, disposedAt, keptUntil: disposedAt + keepEndedSessionsMs }));
  }

  /** Refuses a session that was not removed, or of which nothing is left; then nothing has changed. */
  restore(uri: URI): void | Promise<void> {
    const stored = this.#stored(uri);
    const settling = this.#worktrees?.settling(uri);
    if (!settling) return this.#restore(uri, stored);
    // A work tree that is on its way out would go under the session; whatever is left of it then is what it has.
    return settling.then(() => {
      this.#context.door.settle(); // what became of it must be stored to be seen
      this.#restore(uri, this.#stored(uri));
    });
  }

  #stored(uri: URI): readonly DisposedChannel[] {
    const { door, store } = this.#context;
    if (door.channels.has(uri)) {
      throw new RpcError(AhpErrorCodes.SessionAlreadyExists, `session ${uri} was not removed: it is there`);
    }
    const stored = store.sessions.readDisposed(uri);
    if (stored.some((channel) => channel.uri === uri && channel.kind === 'session')) return stored;
    const message = `there is no session ${uri} to restore: it never was, or its data is gone for good`;
    throw new RpcError(AhpErrorCodes.SessionNotFound, message);
  }

  /** All of it in one tick: it is back with its chats, or not at all. So whatever can fail comes first. */
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
    if (hasWorktree) this.#forgetFate(session);
    door.afterwards(() => {
      for (const listener of this.#onRestored) listener(channels);
    });
  }

  /** Its chats are said to be there again as they were said to go: who was away for both is told both. */
  #listChats(session: Channel<'session'>, channels: readonly Channel[], { chats, defaultChat }: RemovedChats): void {
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

  /** What was said of the work tree when the session ended holds only if that went. */
  #forgetFate(session: Channel<'session'>): void {
    const { worktree, ..._meta }: NonNullable<SessionState['_meta']> = session.state._meta ?? {};
    if (worktree !== undefined) this.#context.door.commit(session, { type: 'session/metaChanged', _meta });
  }
}

import type { ActionOf, ChatState, URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { Committed } from '../../core/committed.js';
import type { HostContext } from '../context.js';

interface Starter {
  readonly turnId: string;
  readonly clientId: string;
}

/**
 * Remembers which client each turn runs for: the one whose message it answers. This survives a restart, because a turn
 * that waits for the user goes on after it; the client's tokens do not.
 */
export class Starters {
  readonly #context: HostContext;
  readonly #isKept: (chat: Channel<'chat'>) => boolean;
  readonly #starters = new Map<URI, Starter>();
  /** The client that queued each message, by chat and message id. */
  readonly #queued = new Map<URI, Map<string, string>>();
  readonly #openers = new Map<URI, string>();

  /** `isKept` says whether to store this for a chat: only agents that need tokens make it matter. */
  constructor(context: HostContext, isKept: (chat: Channel<'chat'>) => boolean) {
    this.#context = context;
    this.#isKept = isKept;
  }

  /** Notes the client for which the host is about to start the first turn of a chat. */
  opens(chat: URI, clientId: string): void {
    this.#openers.set(chat, clientId);
  }

  of(chat: URI, turnId: string): string | undefined {
    const starter = this.#starters.get(chat) ?? this.#stored(chat);
    return starter?.turnId === turnId ? starter.clientId : undefined;
  }

  onChat({ channel, action, origin }: Committed<'chat'>): void {
    if (action.type === 'chat/turnStarted') this.#started(channel, action, origin?.clientId);
    if (action.type === 'chat/pendingMessageSet' && action.kind === 'queued' && origin) {
      const queued = this.#queued.get(channel.uri) ?? new Map<string, string>();
      this.#queued.set(channel.uri, queued.set(action.id, origin.clientId));
    }
    // When the host takes a message from the queue, its client is still looked up once, as its turn starts.
    if (action.type === 'chat/pendingMessageRemoved' && origin) this.#queued.get(channel.uri)?.delete(action.id);
  }

  onSession({ action }: Committed<'session'>): void {
    if (action.type !== 'session/chatRemoved') return;
    this.#starters.delete(action.chat);
    this.#queued.delete(action.chat);
    this.#openers.delete(action.chat);
  }

  #started(chat: Channel<'chat'>, action: Extract<ActionOf<'chat'>, { type: 'chat/turnStarted' }>, sender?: string) {
    const { turnId, queuedMessageId } = action;
    const clientId =
      sender ?? this.#ofQueued(chat.uri, queuedMessageId) ?? this.#ofParent(chat.state) ?? this.#ofOpener(chat.uri);
    if (clientId === undefined) {
      this.#starters.delete(chat.uri);
      return;
    }
    this.#starters.set(chat.uri, { turnId, clientId });
    if (!this.#isKept(chat) || chat.keeping.kind !== 'durable') return;
    const json = JSON.stringify({ turnId, clientId } satisfies Starter);
    this.#context.door.documents.put({ collection: 'owner', key: chat.uri, session: chat.keeping.session, json });
  }

  #ofQueued(chat: URI, id: string | undefined): string | undefined {
    const queued = this.#queued.get(chat);
    const clientId = id === undefined ? undefined : queued?.get(id);
    if (id !== undefined) queued?.delete(id);
    return clientId;
  }

  /** A sub-agent works for the client of the turn that spawned it. */
  #ofParent({ origin }: ChatState): string | undefined {
    return origin?.kind === 'tool' ? this.#starters.get(origin.chat)?.clientId : undefined;
  }

  #ofOpener(chat: URI): string | undefined {
    const clientId = this.#openers.get(chat);
    this.#openers.delete(chat);
    return clientId;
  }

  #stored(chat: URI): Starter | undefined {
    const json = this.#context.door.documents.read('owner', chat);
    return json === undefined ? undefined : (JSON.parse(json) as Starter);
  }
}

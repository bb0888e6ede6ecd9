import type { ActionOf, ChatState, URI } from '@ahpd/protocol';
import type { Channel } from '../../core/channel.js';
import type { Committed } from '../../core/committed.js';
import type { HostContext } from '../context.js';

interface Starter {
  readonly turnId: string;
  readonly clientId: string;
}

/**
 * For which client a turn runs: the one whose message it answers. It is kept across a restart, since a turn that waits
 * for the user goes on after it; the client's token is not.
 */
export class Starters {
  readonly #context: HostContext;
  readonly #isKept: (chat: Channel<'chat'>) => boolean;
  readonly #starters = new Map<URI, Starter>();
  /** By chat and id of the message. */
  readonly #queued = new Map<URI, Map<string, string>>();
  readonly #openers = new Map<URI, string>();

  /** `isKept`: whether it matters for a chat, because its agent needs tokens. */
  constructor(context: HostContext, isKept: (chat: Channel<'chat'>) => boolean) {
    this.#context = context;
    this.#isKept = isKept;
    context.door.onCommitted('session', ({ action }) => {
      if (action.type === 'session/chatRemoved') this.#forget(action.chat);
    });
    context.door.onCommitted('chat', (committed) => this.#react(committed));
  }

  /** The first turn of this chat is started by the host for a client. */
  opens(chat: URI, clientId: string): void {
    this.#openers.set(chat, clientId);
  }

  of(chat: URI, turnId: string): string | undefined {
    const starter = this.#starters.get(chat) ?? this.#stored(chat);
    return starter?.turnId === turnId ? starter.clientId : undefined;
  }

  #react({ channel, action, origin }: Committed<'chat'>): void {
    if (action.type === 'chat/turnStarted') this.#started(channel, action, origin?.clientId);
    if (action.type === 'chat/pendingMessageSet' && action.kind === 'queued' && origin) {
      const queued = this.#queued.get(channel.uri) ?? new Map<string, string>();
      this.#queued.set(channel.uri, queued.set(action.id, origin.clientId));
    }
    // What the host takes from the queue is asked for once more, when its turn starts.
    if (action.type === 'chat/pendingMessageRemoved' && origin) this.#queued.get(channel.uri)?.delete(action.id);
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

  /** A sub-agent works for whom the agent works that started it. */
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

  #forget(chat: URI): void {
    this.#starters.delete(chat);
    this.#queued.delete(chat);
    this.#openers.delete(chat);
  }
}

import {
  AhpErrorCodes,
  annotationsUri,
  type ChatState,
  type CreateChatParams,
  type CreateSessionParams,
  chatUri,
  type Message,
  ROOT_URI,
  RpcError,
  type Turn,
  type URI,
} from '@ahpd/protocol';
import { type Channel, isKind } from '../../core/channel.js';
import { invalidParams, invalidRequest, notFound, sessionNotFound } from '../../core/errors.js';
import { isSessionUri } from '../../core/session-uri.js';
import { chatSummaryOf } from '../../core/summary.js';
import { FolderError } from '../../ports/folders.js';
import type { HostContext } from '../context.js';
import type { RootService } from '../root/root-service.js';
import { forkedTurns, sourceOfSessionFork } from './fork.js';
import { type NewChat, newChatState, newSessionState } from './new-session.js';

/** Creates and ends sessions and chats. */
export class SessionService {
  readonly #context: HostContext;
  readonly #root: RootService;
  readonly #onEnding: ((session: URI) => void)[] = [];

  constructor(context: HostContext, root: RootService) {
    this.#context = context;
    this.#root = root;
  }

  /** Called when a session is about to end. */
  onEnding(listener: (session: URI) => void): void {
    this.#onEnding.push(listener);
  }

  /** `assertUsable` throws when the client may not use an agent. */
  create(params: CreateSessionParams, clientId: string, assertUsable: (provider: string) => void): void {
    const { door, ids, clock, agents } = this.#context;
    const { channel: uri, fork, activeClient } = params;
    if (!isSessionUri(uri)) throw invalidParams('params/channel: expected a URI such as "ahp-session:/<uuid>"');
    if (this.#exists(uri)) throw new RpcError(AhpErrorCodes.SessionAlreadyExists, `session ${uri} exists already`);
    if (activeClient && activeClient.clientId !== clientId) {
      throw invalidParams('params/activeClient/clientId: expected the id of the client that asks');
    }
    const source = fork && sourceOfSessionFork(door, fork);
    const from = source?.session.summary;
    const provider = this.#provider(params.provider ?? from?.provider);
    assertUsable(provider);
    const workingDirectory = params.workingDirectory ?? from?.workingDirectory;
    const folder = workingDirectory === undefined ? undefined : this.#folder(workingDirectory);
    const now = clock.now();
    const title = from && `${from.title} (fork)`;
    const inherited = {
      ...(from?.model && { model: from.model }),
      ...(from?.agent && { agent: from.agent }),
      ...params,
    };
    const agentConfig = agents.get(provider)?.sessionConfig;
    const state = newSessionState({ params: inherited, provider, now, folder, title, agentConfig });
    const session = door.open(uri, 'session', uri, state);
    door.open(annotationsUri(uri), 'annotations', uri, { annotations: [] });
    door.announceSession(session);
    this.#root.sessionAdded();
    this.addChat(session, {
      resource: chatUri.format(ids.next()),
      title: 'Chat',
      origin: source ? { kind: 'fork', chat: source.chat, turnId: source.turnId } : { kind: 'user' },
      now,
      turns: source?.turns ?? [],
    });
    door.afterwards(() => this.settle(session));
  }

  /** The session becomes usable once its agent is known to be there. */
  settle(session: Channel<'session'>): void {
    const { door, agents } = this.#context;
    if (session.state.lifecycle !== 'creating') return;
    const provider = session.state.summary.provider;
    if (agents.get(provider)) door.commit(session, { type: 'session/ready' });
    else {
      const message = `The agent "${provider}" is not configured on this host.`;
      door.commit(session, { type: 'session/creationFailed', error: { errorType: 'providerNotFound', message } });
    }
  }

  /** Ends a session. Its data stays in the store until it is purged, so that it can be restored. */
  dispose(uri: URI): void {
    const { door } = this.#context;
    const session = this.session(uri);
    const chats = this.chatsOf(session);
    for (const chat of chats) this.#cancelTurn(chat);
    for (const listener of this.#onEnding) listener(uri);
    for (const chat of chats) door.commit(session, { type: 'session/chatRemoved', chat: chat.uri });
    door.notify('root/sessionRemoved', { channel: ROOT_URI, session: uri });
    this.#root.sessionRemoved();
    const annotations = door.channels.load(annotationsUri(uri));
    door.dispose(uri, [session, ...chats, ...(annotations ? [annotations] : [])] as Channel[]);
  }

  createChat(params: CreateChatParams): void {
    const { clock, ids } = this.#context;
    const { channel, chat: uri, source, initialMessage, model, agent } = params;
    const session = this.session(channel);
    if (!chatUri.matches(uri)) throw invalidParams('params/chat: expected a URI such as "ahp-chat:/<uuid>"');
    if (this.#exists(uri)) throw new RpcError(AhpErrorCodes.AlreadyExists, `chat ${uri} exists already`);
    if (session.state.lifecycle === 'creationFailed') throw invalidRequest('the session could not be created');
    if (initialMessage && initialMessage.origin.kind !== 'user') {
      throw invalidParams('params/initialMessage/origin/kind: expected "user"');
    }
    const turns = source ? this.#forkTurns(session, source) : [];
    const chat = this.addChat(session, {
      resource: uri,
      title: source ? 'Fork' : `Chat ${session.state.chats.length + 1}`,
      origin: source ? { kind: 'fork', ...source } : { kind: 'user' },
      now: clock.now(),
      turns,
      ...(model && { model }),
      ...(agent && { agent }),
    });
    if (initialMessage) this.startTurn(chat, initialMessage, ids.next());
  }

  /** Opens a chat of a session and lists it; the first one is the default. */
  addChat(session: Channel<'session'>, chat: NewChat): Channel<'chat'> {
    const { door } = this.#context;
    const channel = door.open(chat.resource, 'chat', session.uri, newChatState(chat));
    door.commit(session, { type: 'session/chatAdded', summary: chatSummaryOf(channel.state) });
    if (session.state.chats.length === 1) {
      door.commit(session, { type: 'session/defaultChatChanged', defaultChat: chat.resource });
    }
    return channel;
  }

  disposeChat(uri: URI): void {
    const { door } = this.#context;
    const chat = this.chat(uri);
    const session = this.sessionOf(chat);
    this.#cancelTurn(chat);
    const wasDefault = session.state.defaultChat === uri;
    door.commit(session, { type: 'session/chatRemoved', chat: uri });
    const next = [...session.state.chats].sort((a, b) => (a.modifiedAt < b.modifiedAt ? 1 : -1))[0];
    if (wasDefault && next) door.commit(session, { type: 'session/defaultChatChanged', defaultChat: next.resource });
    door.end(chat as Channel);
  }

  startTurn(chat: Channel<'chat'>, message: Message, turnId: string, queuedMessageId?: string): void {
    const queued = queuedMessageId === undefined ? {} : { queuedMessageId };
    this.#context.door.commit(chat, { type: 'chat/turnStarted', turnId, message, ...queued });
  }

  chat(uri: URI): Channel<'chat'> {
    const channel = this.#context.door.channels.load(uri);
    if (!isKind(channel, 'chat')) throw notFound(uri);
    return channel;
  }

  sessionOf(chat: Channel<'chat'>): Channel<'session'> {
    return this.session(chat.keeping.kind === 'durable' ? chat.keeping.session : '');
  }

  chatsOf(session: Channel<'session'>): Channel<'chat'>[] {
    const channels = session.state.chats.map((chat) => this.#context.door.channels.load(chat.resource));
    return channels.filter((channel): channel is Channel<'chat'> => isKind(channel, 'chat'));
  }

  session(uri: URI): Channel<'session'> {
    const channel = this.#context.door.channels.load(uri);
    if (!isKind(channel, 'session')) throw sessionNotFound(uri);
    return channel;
  }

  #exists(uri: URI): boolean {
    return this.#context.door.channels.load(uri) !== undefined || this.#context.store.channels.exists(uri);
  }

  #provider(id: string | undefined): string {
    const { agents } = this.#context;
    const provider = id === undefined ? agents.first : agents.get(id);
    if (provider) return provider.info.provider;
    const known = agents.infos.map((info) => info.provider).join(', ') || 'none';
    throw new RpcError(AhpErrorCodes.ProviderNotFound, `there is no agent "${id ?? ''}"; this host has: ${known}`);
  }

  #folder(uri: URI): { uri: URI; name: string } {
    try {
      const path = this.#context.folders.resolve(uri);
      return { uri, name: path.split('/').at(-1) || path };
    } catch (error) {
      if (!(error instanceof FolderError)) throw error;
      if (error.kind === 'invalid') throw invalidParams(`params/workingDirectory: ${error.message}`);
      if (error.kind === 'missing') throw new RpcError(AhpErrorCodes.NotFound, error.message);
      const request = { channel: ROOT_URI, uri, read: true, write: true };
      throw new RpcError(AhpErrorCodes.PermissionDenied, error.message, { data: { request } });
    }
  }

  #cancelTurn(chat: Channel<'chat'>): void {
    const turn = chat.state.activeTurn;
    if (turn) this.#context.door.commit(chat, { type: 'chat/turnCancelled', turnId: turn.id });
  }

  #forkTurns(session: Channel<'session'>, source: { chat: URI; turnId: string }): Turn[] {
    const chat = this.chatsOf(session).find((candidate) => candidate.uri === source.chat);
    if (!chat) throw invalidParams('params/source/chat: expected a chat of the same session');
    return forkedTurns(chat.state as ChatState, source.turnId);
  }
}

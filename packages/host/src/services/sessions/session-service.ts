import {
  AhpErrorCodes,
  annotationsUri,
  type ChatState,
  type CreateChatParams,
  type CreateSessionParams,
  chatUri,
  ExtensionMeta,
  type Message,
  primaryDirectory,
  ROOT_URI,
  RpcError,
  type SessionOrigin,
  type Turn,
  type URI,
} from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import { invalidParams, invalidRequest, notFound, sessionNotFound } from '../../core/errors.js';
import type { IfLost } from '../../core/if-lost.js';
import { isSessionUri } from '../../core/session-uri.js';
import { chatSummaryOf } from '../../core/summary.js';
import { StoreError } from '../../ports/store.js';
import type { ConfigService } from '../config/config-service.js';
import { givenSettings, newSessionConfig } from '../config/session-config.js';
import { textsFor } from '../config/texts.js';
import { storeAttachments } from '../content/attachments.js';
import type { ContentService } from '../content/content-service.js';
import type { HostContext } from '../context.js';
import { uriOfPath } from '../resources/file-uri.js';
import type { RootService } from '../root/root-service.js';
import { cancelled } from '../turns/turn-ends.js';
import { workingDirectory } from '../working-directory.js';
import type { WorktreeFate, WorktreeOutcome, WorktreeService } from '../worktrees/worktree-service.js';
import { rememberChats } from './disposed-chats.js';
import { creationExtensions, metaParam, workingDirectoriesParam } from './extra-params.js';
import { forkedTurns, sourceOfSessionFork } from './fork.js';
import { type NewChat, newChatState, newSessionState } from './new-session.js';
import type { ProvisionalSessions } from './provisional-sessions.js';
import { foldersProblem } from './several-folders.js';
import { UserTitles } from './user-titles.js';

/** The client that creates a session. */
export interface Creator {
  readonly clientId: string;
  readonly locale?: string | undefined;
  readonly isOurs: boolean;
  readonly isVscode: boolean;
  /** Throws if the client lacks a token that the agent requires. */
  assertUsable(provider: string): void;
  /** What made it, and the title that it gets, if no user did. */
  readonly begunBy?: { readonly origin: SessionOrigin; readonly title: string };
}

/** A session of the agent itself that a new one continues. */
export interface Continued {
  readonly title: string | undefined;
  readonly turns: Turn[];
  /** What the agent's chat gets to resume with. */
  readonly resumeState: unknown;
}

interface SessionServices {
  readonly root: RootService;
  readonly config: ConfigService;
  readonly contents: ContentService;
  readonly provisional: ProvisionalSessions;
  /** Undefined if this host does not make work trees. */
  readonly worktrees: WorktreeService | undefined;
}

/** What the end of a session means to other services. */
export interface SessionEnds {
  /** Waits until no agent or terminal of these chats is working; resolves with false if that takes too long. */
  quiet(chats: readonly URI[]): Promise<boolean>;
  /** In the tick that disposes a session, ends further channels with it. The tick may still be undone: do nothing else. */
  onDisposing(session: URI): void;
  /** Once the disposal is stored, releases what works for the session. */
  onDisposed(session: URI): void;
}

/** Creates and disposes sessions and chats. */
export class SessionService {
  readonly userTitles: UserTitles;
  readonly #context: HostContext;
  readonly #root: RootService;
  readonly #config: ConfigService;
  readonly #contents: ContentService;
  readonly #provisional: ProvisionalSessions;
  readonly #worktrees: WorktreeService | undefined;
  readonly #settleAgain = { again: (session: Channel<'session'>) => this.settle(session) };
  #ends: SessionEnds = { quiet: () => Promise.resolve(true), onDisposing: () => {}, onDisposed: () => {} };

  constructor(context: HostContext, { root, config, contents, provisional, worktrees }: SessionServices) {
    this.userTitles = new UserTitles(context.door);
    this.#context = context;
    this.#root = root;
    this.#config = config;
    this.#contents = contents;
    this.#provisional = provisional;
    this.#worktrees = worktrees;
  }

  /** Connects the end of sessions to the services that are made later. */
  connect(ends: SessionEnds): void {
    this.#ends = ends;
  }

  /** Resolves when the agent has named the settings that `create` should know; undefined when there is no need to wait. */
  learnSettings(params: CreateSessionParams): Promise<void> | undefined {
    return this.#config.learnSettings(params);
  }

  create(params: CreateSessionParams, creator: Creator, continued?: Continued): void {
    const { clientId, locale, isOurs, isVscode, assertUsable, begunBy } = creator;
    const { door, ids, clock, agents, folders } = this.#context;
    const { channel: uri, activeClient } = params;
    const { 'moorage.fork': fork, 'moorage.draft': draft } = creationExtensions(params);
    if (!isSessionUri(uri)) throw invalidParams('params/channel: expected a URI such as "ahp-session:/<uuid>"');
    if (this.#exists(uri)) throw new RpcError(AhpErrorCodes.SessionAlreadyExists, `session ${uri} already exists`);
    if (activeClient && activeClient.clientId !== clientId) {
      throw invalidParams('params/activeClient/clientId: expected the id of the client that asks');
    }
    const source = fork && sourceOfSessionFork(door, fork);
    const from = source?.session;
    const agent = agents.named(params.provider ?? from?.provider);
    const provider = agent.info.provider;
    assertUsable(provider);
    const inherited = from && primaryDirectory(from);
    const takesSeveral = agent.takesSeveralFolders === true;
    const named = workingDirectoriesParam(params, folders, { takesSeveral, isVscode });
    const [folderUri, ...otherFolders] = named ?? from?.workingDirectories ?? [];
    const folder = folderUri === undefined ? undefined : workingDirectory(folders, folderUri, 'workingDirectories/0');
    // A fork is confined as the session was that it comes from.
    const { sandbox: inheritedSandbox } = from?.config?.values ?? {};
    const given = givenSettings(
      { ...(inheritedSandbox !== undefined && { sandbox: inheritedSandbox }), ...params.config },
      isOurs,
    );
    const sandbox = this.#config.sandbox(given.values, agent);
    const { git, place } = this.#config.arrange(uri, folder, given.values);
    const texts = textsFor(locale);
    const config =
      folder || agent.sessionConfig || (sandbox && sandbox.mode !== 'off')
        ? newSessionConfig(given, { texts, ofAgent: agent.sessionConfig, git, sandbox })
        : undefined;
    const now = clock.now();
    const title = from ? `${from.title} (fork)` : (begunBy?.title ?? continued?.title);
    const project = folder && { uri: folder.uri, displayName: folder.name };
    const chat = newChatState({
      resource: chatUri.format(ids.next()),
      title: '',
      origin: source ? { kind: 'fork', chat: source.chat, turnId: source.turnId } : { kind: 'user' },
      now,
      turns: source ? this.#contents.copyFor(uri, source.turns) : (continued?.turns ?? []),
      draft,
    });
    const state = newSessionState({
      params,
      chat: chatSummaryOf(chat),
      provider,
      now,
      workingDirectories: folder && [place ? uriOfPath(place.folder) : folder.uri, ...otherFolders],
      project: folder?.uri === inherited ? (from?.project ?? project) : project,
      title,
      origin: begunBy?.origin,
      config,
      meta: metaParam(params),
    });
    const session = door.open(uri, 'session', uri, state);
    if (fork) this.userTitles.inherit(fork.session, uri);
    door.open(annotationsUri(uri), 'annotations', uri, { annotations: [] });
    if (place && folder) this.#worktrees?.request(uri, folder.path);
    door.open(chat.resource, 'chat', uri, chat);
    if (continued) {
      const json = JSON.stringify(continued.resumeState);
      door.documents.put({ collection: 'agentChat', key: chat.resource, session: uri, json });
    }
    const isProvisional = isVscode && !source && !continued && this.#provisional.add(uri);
    if (!isProvisional) {
      door.announceSession(session);
      this.#root.sessionAdded();
    }
    door.afterwards(() => this.settle(session));
  }

  /** Makes a new session ready once its agent is known to exist and its work tree, if any, is made. */
  settle(session: Channel<'session'>): void {
    const { door, agents } = this.#context;
    if (session.state.lifecycle !== 'creating' || !door.isOpen(session) || this.#worktrees?.isMaking(session.uri))
      return;
    const provider = session.state.provider;
    if (!agents.get(provider)) {
      const message = `The agent "${provider}" is not configured on this host.`;
      const error = { errorType: 'providerNotFound', message };
      door.commit(session, { type: 'session/creationFailed', error }, this.#settleAgain);
      return;
    }
    const making = this.#worktrees?.make(session);
    if (!making) door.commit(session, { type: 'session/ready' }, this.#settleAgain);
    else void making.then((outcome) => this.#settled(session, outcome));
  }

  #settled(session: Channel<'session'>, outcome: WorktreeOutcome): void {
    const { door } = this.#context;
    if (outcome.kind === 'made') door.commit(session, { type: 'session/ready' }, this.#settleAgain);
    if (outcome.kind !== 'failed') return;
    door.commit(session, { type: 'session/creationFailed', error: outcome.error }, this.#settleAgain);
  }

  /**
   * Disposes a session. Its data stays in the store until it is purged, so that it can be restored. A session that is not
   * there is as good as disposed: VS Code disposes what it could not create, and an error there blocks its window (V-42).
   */
  dispose(uri: URI): void | Promise<void> {
    const session = this.#context.door.channels.find('session', uri);
    if (!session) return;
    if (!this.#worktrees?.hasOne(uri)) return this.#dispose(session, undefined);
    return this.#disposeWithWorktree(session, this.#worktrees);
  }

  /** Disposes a session that is going on elsewhere. Its work tree stays: what is in it may be nowhere else. */
  release(uri: URI): void {
    const session = this.#context.door.channels.find('session', uri);
    if (session) this.#dispose(session, undefined);
  }

  /** Waits for all work in the session to stop first: only then can be decided whether to keep its work tree. */
  async #disposeWithWorktree(session: Channel<'session'>, worktrees: WorktreeService): Promise<void> {
    const chats = this.#readableChats(session);
    for (const chat of chats) this.#cancelTurn(chat);
    await this.#context.door.stored();
    await this.#ends.quiet(chats.map(({ uri }) => uri));
    const fate = await worktrees.fate(session);
    const still = this.#context.door.channels.find('session', session.uri);
    if (still) this.#dispose(still, fate); // else another request has disposed it meanwhile
  }

  #dispose(session: Channel<'session'>, worktree: WorktreeFate | undefined): void {
    const { door } = this.#context;
    const { uri } = session;
    const chats = this.#readableChats(session);
    for (const chat of chats) this.#cancelTurn(chat);
    if (worktree) {
      const _meta = { ...session.state._meta, [ExtensionMeta.worktree]: worktree };
      door.commit(session, { type: 'session/metaChanged', _meta });
    }
    this.#ends.onDisposing(uri);
    rememberChats(this.#context, uri, session.state);
    for (const { resource } of session.state.chats) {
      door.commit(session, { type: 'session/chatRemoved', chat: resource });
    }
    if (this.#provisional.has(uri)) {
      this.#provisional.remove(uri);
    } else {
      door.notify('root/sessionRemoved', { channel: ROOT_URI, session: uri });
      this.#root.sessionDisposed();
    }
    const annotations = this.#ifReadable(() => door.channels.load(annotationsUri(uri)));
    door.dispose(uri, [session, ...chats, ...(annotations ? [annotations] : [])]);
    if (worktree) this.#worktrees?.sessionDisposing(uri, worktree);
    const quiet = () => this.#ends.quiet(chats.map((chat) => chat.uri));
    door.afterwards(() => this.#ends.onDisposed(uri));
    door.afterwards(() => this.#worktrees?.sessionDisposed(uri, quiet));
  }

  createChat(params: CreateChatParams, { isVscode }: Pick<Creator, 'isVscode'>): void {
    const { clock, ids, agents, folders } = this.#context;
    const { channel, chat: uri, source, initialMessage, title } = params;
    const { 'moorage.draft': draft } = creationExtensions(params);
    const session = this.session(channel);
    if (!chatUri.matches(uri)) throw invalidParams('params/chat: expected a URI such as "ahp-chat:/<uuid>"');
    if (this.#exists(uri)) throw new RpcError(AhpErrorCodes.AlreadyExists, `chat ${uri} already exists`);
    if (session.state.lifecycle === 'failed') throw invalidRequest('the session could not be created');
    if (initialMessage && initialMessage.origin.kind !== 'user') {
      throw invalidParams('params/initialMessage/origin/kind: expected "user"');
    }
    if (source?.kind === 'sideChat') throw invalidParams('params/source/kind: this host makes no side chats');
    const turns = source ? this.#forkTurns(session, source) : [];
    const takesSeveral = agents.get(session.state.provider)?.takesSeveralFolders === true;
    const named = workingDirectoriesParam(params, folders, { takesSeveral, isVscode });
    const chat = this.addChat(session, {
      resource: uri,
      title: title ?? (source ? 'Fork' : `Chat ${session.state.chats.length + 1}`),
      origin: source ?? { kind: 'user' },
      now: clock.now(),
      turns,
      draft,
      workingDirectories: named ?? (source && this.chat(source.chat).state.workingDirectories),
    });
    if (initialMessage) {
      this.startTurn(chat, storeAttachments(initialMessage, session.uri, this.#contents), ids.next());
    }
  }

  /** Opens a chat and adds it to the session's catalogue. The first chat becomes the default. */
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
    door.end(chat);
  }

  startTurn(chat: Channel<'chat'>, message: Message, turnId: string, ifLost?: IfLost<'chat'>): void {
    const { door, clock } = this.#context;
    const startedAt = new Date(clock.now()).toISOString();
    door.commit(chat, { type: 'chat/turnStarted', turnId, startedAt, message }, ifLost);
  }

  /** Why the agent cannot work in these folders together; undefined if it can. */
  foldersProblem(provider: string, uris: readonly URI[]): string | undefined {
    const { agents, folders } = this.#context;
    if (!agents.get(provider)?.takesSeveralFolders) return 'the agent of this session works in one folder';
    return foldersProblem(folders, uris);
  }

  chat(uri: URI): Channel<'chat'> {
    const channel = this.#context.door.channels.find('chat', uri);
    if (!channel) throw notFound(uri);
    return channel;
  }

  sessionOf(chat: Channel<'chat'>): Channel<'session'> {
    return this.session(chat.keeping.kind === 'durable' ? chat.keeping.session : '');
  }

  chatsOf(session: Channel<'session'>): Channel<'chat'>[] {
    const { channels } = this.#context.door;
    return session.state.chats.flatMap(({ resource }) => channels.find('chat', resource) ?? []);
  }

  /** Without those that cannot be read: a session with a damaged chat must still be deleted. */
  #readableChats(session: Channel<'session'>): Channel<'chat'>[] {
    const { channels } = this.#context.door;
    return session.state.chats.flatMap(({ resource }) => this.#ifReadable(() => channels.find('chat', resource)) ?? []);
  }

  #ifReadable<T>(read: () => T | undefined): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#context.log.write('warn', 'session.delete-incomplete', 'a part of a deleted session cannot be read', {
        error: error.message,
      });
      return undefined;
    }
  }

  session(uri: URI): Channel<'session'> {
    const channel = this.#context.door.channels.find('session', uri);
    if (!channel) throw sessionNotFound(uri);
    return channel;
  }

  #exists(uri: URI): boolean {
    return this.#context.door.channels.load(uri) !== undefined || this.#context.store.channels.exists(uri);
  }

  #cancelTurn(chat: Channel<'chat'>): void {
    const turn = chat.state.activeTurn;
    const { door, clock } = this.#context;
    if (turn) door.commit(chat, cancelled(turn, clock.now()));
  }

  #forkTurns(session: Channel<'session'>, source: { chat: URI; turnId: string }): Turn[] {
    const chat = this.chatsOf(session).find((candidate) => candidate.uri === source.chat);
    if (!chat) throw invalidParams('params/source/chat: expected a chat of the same session');
    return forkedTurns(chat.state as ChatState, source.turnId);
  }
}

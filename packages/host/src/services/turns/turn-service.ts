import {
  type ChatState,
  type ErrorInfo,
  type Message,
  openRequests,
  primaryDirectory,
  selectionOf,
  type URI,
} from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { Committed } from '../../core/committed.js';
import { NO_CUSTOMIZATIONS } from '../../ports/customizations.js';
import type { Sandbox } from '../../ports/sandbox.js';
import { type ActivityTeller, activityTeller } from '../activity.js';
import type { AnnotationService } from '../annotations/annotation-service.js';
import { historyForAgent, messageForAgent } from '../annotations/for-agents.js';
import type { AuthService } from '../auth/auth-service.js';
import type { ChangesetService } from '../changesets/changeset-service.js';
import type { ContentService } from '../content/content-service.js';
import type { HostContext } from '../context.js';
import type { CustomizationService } from '../customizations/customization-service.js';
import type { McpService } from '../mcp/mcp-service.js';
import { confinementOf } from '../sandbox/session-sandbox.js';
import { DEFAULT_TITLE } from '../sessions/new-session.js';
import type { SessionService } from '../sessions/session-service.js';
import type { TerminalService } from '../terminals/terminal-service.js';
import { TurnTerminals } from '../terminals/turn-terminals.js';
import { openAgentChat, realFolders } from './agent-chat.js';
import type { AgentCommands } from './agent-commands.js';
import { AgentOutput } from './agent-output.js';
import { BUDGET_REACHED, type Budgets } from './budgets.js';
import { ChatRunner } from './chat-runner.js';
import type { ClientTools } from './client-tools.js';
import { DueQueues } from './due-queues.js';
import { endTurn } from './end-turn.js';
import { Pause } from './pause.js';
import { Rewinds } from './rewinds.js';
import { Spawner } from './spawner.js';
import { titleOf } from './title.js';
import { completed, failed, isOfHost } from './turn-ends.js';
import { TurnRun } from './turn-run.js';

export interface TurnServices {
  readonly sessions: SessionService;
  readonly auth: AuthService;
  readonly contents: ContentService;
  readonly clientTools: ClientTools;
  readonly budgets: Budgets;
  readonly annotations: AnnotationService;
  readonly commands: AgentCommands;
  readonly mcp: McpService;
  /** Undefined if this host does not track changes. */
  readonly changesets?: ChangesetService | undefined;
  /** Undefined if this host does not look for customizations. */
  readonly customizations?: CustomizationService | undefined;
  /** Undefined if this host confines no programs. */
  readonly sandbox: Sandbox | undefined;
  /** Undefined if this host has no terminals. */
  readonly terminals?: TerminalService | undefined;
}

/** Runs turns: committed chat actions start, steer and stop the agent, and what the agent does is committed. */
export class TurnService {
  readonly rewinds: Rewinds;
  readonly dueQueues: DueQueues;
  readonly #context: HostContext;
  readonly #services: TurnServices;
  readonly #runners = new Map<URI, ChatRunner>();
  /** Agents that were released and have not closed yet. */
  readonly #closing = new Map<URI, Promise<unknown>>();
  readonly #spawner: Spawner;
  readonly #pause = new Pause();
  /** Sessions that show why their turn does not go on. */
  readonly #pausedSessions = new Map<URI, ActivityTeller>();
  #stopping = false;

  constructor(context: HostContext, services: TurnServices) {
    this.#context = context;
    this.#services = services;
    this.#spawner = new Spawner(context, services.sessions);
    this.rewinds = new Rewinds(context.door);
    this.dueQueues = new DueQueues(context.door);
  }

  /** Lets no agent act until it is called again without a reason. */
  pause(reason: string | undefined): void {
    if (reason === this.#pause.reason) return;
    this.#pause.set(reason);
    for (const teller of this.#pausedSessions.values()) teller.end();
    this.#pausedSessions.clear();
    for (const runner of this.#runners.values()) runner.pause(reason !== undefined);
    for (const { run } of this.#runners.values()) if (run) this.#showPause(run.chat);
  }

  #showPause(chat: Channel<'chat'>): void {
    const { reason } = this.#pause;
    const session = this.#services.sessions.sessionOf(chat);
    if (reason === undefined || this.#pausedSessions.has(session.uri)) return;
    const teller = activityTeller(this.#context, session);
    this.#pausedSessions.set(session.uri, teller);
    teller.say(reason);
  }

  /** Whether the chat's agent is working or about to. */
  isBusy(chat: URI): boolean {
    return this.#runners.get(chat)?.run !== undefined;
  }

  /**
   * Settles a chat after a restart. A turn that waits for the user is resumed if its agent can do so, any other fails.
   * Without an active turn, the next queued message may be due.
   */
  settleAfterRestart(chat: Channel<'chat'>): void {
    const turn = chat.state.activeTurn;
    if (!turn) {
      if (this.dueQueues.has(chat)) this.#takeFromQueue(chat);
      return;
    }
    if (isOfHost(turn)) {
      this.#context.door.commit(chat, completed(turn, this.#context.clock.now()));
      return;
    }
    const session = this.#services.sessions.sessionOf(chat);
    const provider = this.#context.agents.get(session.state.provider);
    // The turn that spawned a sub-agent ended with the restart, so nothing waits for its answer.
    const isSpawned = chat.state.origin?.kind === 'tool';
    const waits = waitsForUser(chat.state);
    if (provider?.resumesTurns && waits && !isSpawned) {
      this.#run(chat, turn.id, turn.message, true);
      return;
    }
    const error = { errorType: 'hostRestarted', message: waits ? QUESTION_LOST : TURN_LOST };
    endTurn(this.#context, chat, failed(turn, error, this.#context.clock.now()));
    void this.#services.changesets?.turns.end(session, turn.id); // the turn's changes are what is in the folder now
  }

  /** Closes the agent of a chat that was removed or unloaded. Never rejects: no caller could do anything about it. */
  async release(chat: URI): Promise<void> {
    this.#services.commands.forget(chat);
    const runner = this.#runners.get(chat);
    if (!runner) return;
    this.#runners.delete(chat);
    const closed = runner.dispose().catch((error: unknown) => {
      this.#context.log.write('warn', 'agent.close-failed', 'closing an agent failed', { error: String(error) });
    });
    const closing = Promise.all([closed, runner.idle]);
    this.#closing.set(chat, closing);
    void closing.finally(() => this.#closing.get(chat) === closing && this.#closing.delete(chat));
    await closed;
  }

  /** Resolves when no agent of these chats is working or closing. */
  async quiet(chats: readonly URI[]): Promise<void> {
    await Promise.allSettled(chats.flatMap((chat) => [this.#runners.get(chat)?.idle, this.#closing.get(chat)]));
  }

  async dispose(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#runners.keys()].map((chat) => this.release(chat)));
  }

  /** What an agent said before a client's action is also committed before it, so that a cancelled turn has it all. */
  beforeAction(chat: URI): void {
    this.#runners.get(chat)?.run?.flush();
  }

  onSession({ channel: session, action }: Committed<'session'>): void {
    if (this.#stopping) return;
    switch (action.type) {
      case 'session/ready':
        this.#context.agents.get(session.state.provider)?.prepare?.();
        for (const chat of this.#services.sessions.chatsOf(session)) this.#begin(chat);
        return;
      case 'session/creationFailed':
        this.#failChats(session);
        return;
      case 'session/chatRemoved':
        void this.release(action.chat);
        return;
      case 'session/workingDirectorySet':
      case 'session/workingDirectoryRemoved':
      case 'session/workingDirectoryReplaced':
        // Their agents are opened again with the folders, for the next turn. No turn runs now.
        for (const { resource } of session.state.chats) void this.release(resource);
        return;
      default:
        return;
    }
  }

  onChat({ channel: chat, action, before }: Committed<'chat'>): void {
    if (this.#stopping) return;
    const runner = this.#runners.get(chat.uri);
    switch (action.type) {
      case 'chat/turnStarted':
        if (!this.#context.door.isOpen(chat)) return; // the chat was removed in the same tick
        this.#nameSession(chat, action.message);
        this.#begin(chat);
        return;
      case 'chat/turnComplete':
      case 'chat/turnCancelled':
      case 'chat/error':
        this.#spawner.ended(chat, action.turnId);
        if (action.type === 'chat/turnComplete') this.#takeFromQueue(chat);
        runner?.stop(action.turnId); // last, because it touches processes and so may fail
        return;
      case 'chat/truncated':
        runner?.whenIdle((agent) => this.rewinds.settle(chat, agent, () => this.#historyOf(chat)));
        if (before.activeTurn) runner?.stop(before.activeTurn.id);
        return;
      case 'chat/workingDirectorySet':
      case 'chat/workingDirectoryRemoved':
        void this.release(chat.uri);
        return;
      case 'chat/pendingMessageSet':
        if (action.kind === 'queued') this.#takeFromQueue(chat);
        return;
      case 'chat/inputCompleted': {
        const request = openRequests(before).find((open) => open.id === action.requestId);
        if (request) runner?.run?.answered(request, action);
        return;
      }
      default:
        runner?.run?.react(action);
    }
  }

  /** Starts the active turn of a chat, unless the session is not ready yet (OQ-38) or the turn already runs. */
  #begin(chat: Channel<'chat'>): void {
    const turn = chat.state.activeTurn;
    const session = this.#services.sessions.sessionOf(chat);
    if (!turn || isOfHost(turn) || session.state.lifecycle !== 'ready') return;
    if (this.#runners.get(chat.uri)?.run?.turnId === turn.id) return;
    this.#run(chat, turn.id, turn.message, false);
  }

  #run(chat: Channel<'chat'>, turnId: string, message: Message, resumed: boolean): void {
    const { tokens, missing } = this.#services.auth.forTurn(chat, turnId);
    if (!resumed && missing.length > 0) {
      this.#failUnauthorized(chat, turnId, missing);
      return;
    }
    const { sessions, contents, clientTools, mcp, terminals, annotations, budgets } = this.#services;
    const session = sessions.sessionOf(chat);
    const problem = budgets.problem(session);
    if (!resumed && problem !== undefined) {
      this.#fail(chat, turnId, { errorType: BUDGET_REACHED, message: problem });
      return;
    }
    const runner = this.#runnerOf(chat);
    const confine = confinementOf(this.#services.sandbox, session, () =>
      realFolders(this.#context.folders, chat, session),
    );
    const place = { session: session.uri, turnId, chat: chat.uri, cwd: primaryDirectory(chat.state), confine };
    const output = new AgentOutput(this.#context, chat, turnId, () => runner.stop(turnId));
    const run = new TurnRun(chat, turnId, resumed, {
      clock: this.#context.clock,
      begin: async (signal) => {
        if (message.attachments?.some(({ type }) => type === 'annotations')) await annotations.refresh(session.uri);
        await this.#startServers(session, signal);
      },
      recordFiles: async () => this.#services.changesets?.turns.begin(session, chat.uri, turnId, resumed),
      end: () => this.#services.changesets?.turns.end(session, turnId) ?? Promise.resolve(),
      present: (sent) => messageForAgent(sent, session, { annotations, contents }),
      commit: (action) => output.commit(action),
      goAhead: (signal) => this.#pause.over(signal),
      selection: () => ({
        ...(message.model || message.agent ? message : selectionOf({ ...chat.state, activeTurn: undefined })),
        config: session.state.config?.values,
      }),
      spawn: (request, signal) => this.#spawner.spawn(chat, request, signal),
      storeContent: (content, contentType) => contents.store(session.uri, content, contentType),
      customizations: async () => this.#services.customizations?.forTurn(session.uri) ?? NO_CUSTOMIZATIONS,
      activeClients: () => session.state.activeClients,
      tokens,
      mcp: {
        tools: () => mcp.toolsOf(session.uri),
        find: (server, name) => mcp.findTool(session.uri, server, name),
      },
      terminals: terminals && new TurnTerminals(this.#context, terminals, place),
      watchClientTool: (clientId, fail) => clientTools.watch(clientId, fail),
    });
    runner.start(run, message);
    this.#showPause(chat);
  }

  /** Plugins are found first, because they may bring servers. */
  async #startServers(session: Channel<'session'>, signal: AbortSignal): Promise<void> {
    await this.#services.customizations?.found(session.uri, signal);
    await this.#services.mcp.ready(session, signal);
  }

  /** Fails a turn whose client has disconnected since it queued the message, or whose token has expired. */
  #failUnauthorized(chat: Channel<'chat'>, turnId: string, missing: readonly string[]): void {
    const message = `This turn needs a token for ${missing.join(', ')}. Authenticate, then send the message again.`;
    this.#services.auth.askStarter(chat.uri, turnId, missing);
    this.#fail(chat, turnId, { errorType: 'authRequired', message });
  }

  #fail(chat: Channel<'chat'>, turnId: string, error: ErrorInfo): void {
    const turn = chat.state.activeTurn;
    if (turn?.id === turnId) endTurn(this.#context, chat, failed(turn, error, this.#context.clock.now()));
  }

  #runnerOf(chat: Channel<'chat'>): ChatRunner {
    const known = this.#runners.get(chat.uri);
    if (known) return known;
    const { sessions, commands, mcp, sandbox } = this.#services;
    const services = { sessions, commands, mcp, sandbox, rewinds: this.rewinds, history: () => this.#historyOf(chat) };
    const open = () => openAgentChat(this.#context, services, chat, () => runner.forgetAgent());
    const awaitsGoAhead = () => {
      const { provider } = sessions.sessionOf(chat).state;
      return this.#context.agents.get(provider)?.awaitsGoAhead === true;
    };
    const runner = new ChatRunner(open, awaitsGoAhead, { ...this.#context, pause: this.#pause });
    this.#runners.set(chat.uri, runner);
    return runner;
  }

  #historyOf(chat: Channel<'chat'>) {
    const { sessions, annotations, contents } = this.#services;
    return historyForAgent(chat.state.turns, sessions.sessionOf(chat), { annotations, contents });
  }

  /** Starts the first queued message as a turn if none is active (B-205, B-206, OQ-54). A session without budget rests. */
  #takeFromQueue(chat: Channel<'chat'>): void {
    const next = chat.state.queuedMessages?.[0];
    if (!next || chat.state.activeTurn) return;
    if (this.#services.budgets.problem(this.#services.sessions.sessionOf(chat)) !== undefined) return;
    const { door, ids, clock } = this.#context;
    const { id: queuedMessageId, message } = next;
    const last = lastTurn(chat.state);
    door.commit(chat, { type: 'chat/pendingMessageRemoved', kind: 'queued', id: queuedMessageId });
    const startedAt = new Date(clock.now()).toISOString();
    const start = { type: 'chat/turnStarted', turnId: ids.next(), startedAt, message, queuedMessageId } as const;
    const again = (same: Channel<'chat'>) => {
      if (lastTurn(same.state) === last) this.#takeFromQueue(same); // else a later turn decides whether the queue goes on
    };
    door.commit(chat, start, { again });
  }

  /** Titles a session that nobody named after its first message. */
  #nameSession(chat: Channel<'chat'>, message: Message): void {
    const session = this.#services.sessions.sessionOf(chat);
    if (session.state.title !== DEFAULT_TITLE || message.origin.kind !== 'user') return;
    const title = titleOf(message.text);
    if (title) this.#context.door.commit(session, { type: 'session/titleChanged', title });
  }

  #failChats(session: Channel<'session'>): void {
    const error = session.state.creationError ?? {
      errorType: 'creationFailed',
      message: 'The session failed to start.',
    };
    for (const chat of this.#services.sessions.chatsOf(session)) {
      const turn = chat.state.activeTurn;
      if (turn) endTurn(this.#context, chat, failed(turn, error, this.#context.clock.now()));
    }
  }
}

const TURN_LOST = 'The host was restarted while this turn was running. Send the message again to retry.';
const QUESTION_LOST =
  'The host was restarted while this turn waited for you, and its agent cannot resume the question. What it asked about was not done. Send the message again to be asked again.';

function lastTurn({ turns }: ChatState): string | undefined {
  return turns.at(-1)?.id;
}

function waitsForUser(chat: ChatState): boolean {
  const calls = chat.activeTurn?.responseParts ?? [];
  const pending = calls.some((part) => part.kind === 'toolCall' && part.toolCall.status === 'pending-confirmation');
  return pending || openRequests(chat).length > 0;
}

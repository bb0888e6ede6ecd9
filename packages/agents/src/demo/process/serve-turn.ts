import type { AgentChatHost, AgentFiles, AgentTerminal, AgentTurn } from '@moorage/host/ports';
import type { Awaitable } from '../../shared/abortable.js';
import type { ChatMemory } from '../memory.js';
import { serveFiles } from './file-messages.js';
import {
  NOTIFICATIONS,
  type NotificationMethod,
  type Notifications,
  REQUESTS,
  type RequestMethod,
  type Requests,
  type TerminalName,
} from './messages.js';

export interface ServedChat {
  readonly host: AgentChatHost;
  readonly memory: ChatMemory;
  readonly files: AgentFiles;
}

type RequestHandlers = { [M in RequestMethod]: (params: Requests[M]['params']) => Awaitable<Requests[M]['result']> };
type NotificationHandlers = { [M in NotificationMethod]: (params: Notifications[M]) => void };

/** Serves a turn to the agent's process. Whatever comes from there is checked first, and may fail with a ValidationError. */
export class ServedTurn {
  readonly #requests: RequestHandlers;
  readonly #notifications: NotificationHandlers;

  readonly #terminals = new Map<string, AgentTerminal>();

  constructor(turn: AgentTurn, { host, memory, files }: ServedChat) {
    this.#requests = {
      confirm: (request) => turn.confirm(request),
      ask: (request) => turn.ask(request),
      callClientTool: (call) => turn.callClientTool(call),
      callMcpTool: (call) => turn.callMcpTool(call),
      takeSteering: () => {
        const message = turn.takeSteering();
        return message ? { message: { text: message.text } } : {};
      },
      spawn: (request) => turn.spawn(request),
      storeContent: ({ base64, contentType }) => turn.storeContent(Buffer.from(base64, 'base64'), contentType),
      autoMode: () => ({ mode: memory.autoMode }),
      ...serveFiles(files),
      createTerminal: async (request) => {
        const terminal = await turn.createTerminal(request);
        this.#terminals.set(terminal.resource, terminal);
        return { resource: terminal.resource };
      },
      waitForTerminal: (name) => this.#terminal(name).wait(),
      terminalOutput: (name) => this.#terminal(name).output(),
    };
    this.#notifications = {
      emit: ({ event }) => turn.emit(event),
      setTitle: ({ title }) => host.setTitle(title, { isRequested: true }),
      setAutoMode: ({ mode }) => {
        memory.autoMode = mode;
      },
      saveProgress: (progress) => memory.saveProgress(progress),
      releaseTerminal: (name) => this.#terminal(name).release(),
    };
  }

  #terminal({ resource }: TerminalName): AgentTerminal {
    const terminal = this.#terminals.get(resource);
    if (!terminal) throw new Error(`this turn has no terminal ${resource}`);
    return terminal;
  }

  answer<M extends RequestMethod>(method: M, params: unknown): Awaitable<Requests[M]['result']> {
    return this.#requests[method](REQUESTS[method].params.parse(params));
  }

  hear<M extends NotificationMethod>(method: M, params: unknown): void {
    this.#notifications[method](NOTIFICATIONS[method].parse(params));
  }
}

export function isRequest(method: string): method is RequestMethod {
  return Object.hasOwn(REQUESTS, method);
}

export function isNotification(method: string): method is NotificationMethod {
  return Object.hasOwn(NOTIFICATIONS, method);
}

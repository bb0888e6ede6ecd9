import {
  type AdoptSessionParams,
  AhpErrorCodes,
  type EarlierSession,
  JsonRpcErrorCodes,
  type ListEarlierSessionsParams,
  primaryDirectory,
  RpcError,
  type SessionSummary,
  type Turn,
  type URI,
} from '@moorage/protocol';
import { invalidParams } from '../../core/errors.js';
import { AgentError } from '../../ports/agent.js';
import type { EarlierSessions, EarlierTurn } from '../../ports/earlier-sessions.js';
import type { HostContext } from '../context.js';
import { workingDirectory } from '../working-directory.js';
import type { Creator, SessionService } from './session-service.js';

/** Continues sessions here that an agent had without this host. */
export class AdoptedSessions {
  readonly #context: HostContext;
  readonly #sessions: SessionService;

  constructor(context: HostContext, sessions: SessionService) {
    this.#context = context;
    this.#sessions = sessions;
  }

  /** The agent's sessions in a folder that are not sessions of this host. */
  async list({ provider, workingDirectory: uri }: ListEarlierSessionsParams): Promise<EarlierSession[]> {
    const folder = workingDirectory(this.#context.folders, uri);
    const earlier = this.#earlier(provider);
    const all = await answered(earlier.list(folder.path));
    const known = this.#known(provider, folder.path);
    return all
      .filter(({ id }) => !known.has(JSON.stringify(earlier.resumeState(id))))
      .map(({ id, title, updatedAt }) => ({
        id,
        ...(title !== undefined && { title }),
        ...(updatedAt !== undefined && { updatedAt }),
      }));
  }

  async adopt({ channel, provider, workingDirectory: uri, id }: AdoptSessionParams, creator: Creator): Promise<void> {
    const folder = workingDirectory(this.#context.folders, uri);
    const earlier = this.#earlier(provider);
    const resumeState = earlier.resumeState(id);
    const listed = await answered(earlier.list(folder.path));
    const found = listed.find((session) => session.id === id);
    if (!found) throw new RpcError(AhpErrorCodes.NotFound, `the agent has no session "${id}" in this folder`);
    const turns = await answered(earlier.read(folder.path, id));
    // Two chats on one session of an agent would disturb each other.
    const there = this.#known(provider, folder.path).get(JSON.stringify(resumeState));
    if (there !== undefined)
      throw new RpcError(AhpErrorCodes.SessionAlreadyExists, `this session is continued already, as ${there}`);
    const params = { channel, provider, workingDirectories: [uri] };
    const { title } = found;
    this.#sessions.create(params, creator, { title, resumeState, turns: turns.map((turn) => this.#turn(turn)) });
  }

  #earlier(provider: string): EarlierSessions {
    const { earlierSessions } = this.#context.agents.named(provider);
    if (earlierSessions) return earlierSessions;
    throw invalidParams(`params/provider: the agent "${provider}" has no sessions of its own`);
  }

  /** What the chats of this agent in a folder resume with, each with its session. */
  #known(provider: string, path: string): Map<string, URI> {
    const { store, door } = this.#context;
    const known = new Map<string, URI>();
    for (const json of store.sessions.list()) {
      const summary = JSON.parse(json) as SessionSummary;
      if (summary.provider !== provider || !this.#isIn(primaryDirectory(summary), path)) continue;
      for (const { resource } of summary.chats ?? []) {
        const state = door.documents.read('agentChat', resource);
        if (state !== undefined) known.set(state, summary.resource);
      }
    }
    return known;
  }

  #isIn(folder: URI | undefined, path: string): boolean {
    try {
      return folder !== undefined && this.#context.folders.resolve(folder) === path;
    } catch {
      return false; // gone, or no longer below a root
    }
  }

  #turn({ message, answer }: EarlierTurn): Turn {
    const id = this.#context.ids.next();
    return {
      id,
      message: { text: message, origin: { kind: 'user' } },
      responseParts: answer === '' ? [] : [{ kind: 'markdown', id: `${id}.0`, content: answer }],
      state: 'complete',
    };
  }
}

/** An agent's refusal in words for the user. */
async function answered<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof AgentError) throw new RpcError(JsonRpcErrorCodes.InternalError, error.message);
    throw error;
  }
}

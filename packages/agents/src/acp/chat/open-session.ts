import { RequestError } from '@agentclientprotocol/sdk';
import { AgentError, type AgentMcpServer } from '@moorage/host/ports';
import { fields, text } from '../../shared/untrusted.js';
import { type AcpAgentConfig, nameOf } from '../config.js';
import type { AcpTimeouts } from '../timeouts.js';
import type { LiveAgent } from './live-agent.js';

export interface OpenSessionOptions {
  readonly config: AcpAgentConfig;
  readonly cwd: string;
  /** Further folders, for agents that take them. */
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly AgentMcpServer[];
  /** The session that the agent should resume. */
  readonly sessionId: string | undefined;
  readonly timeouts: AcpTimeouts;
}

export interface OpenedSession {
  readonly sessionId: string;
  /** Whether the agent knows what was said before. */
  readonly isResumed: boolean;
  /** Its answer, with models and settings. */
  readonly answer: unknown;
  /** The names of the MCP servers that it does not take. */
  readonly leftOut: readonly string[];
}

/** Resumes the agent's session if it can, and makes a new one otherwise. */
export async function openSession(live: LiveAgent, options: OpenSessionOptions): Promise<OpenedSession> {
  const { config, cwd, additionalDirectories, sessionId, timeouts } = options;
  const folders = {
    cwd,
    ...(live.takesSeveralFolders && additionalDirectories.length > 0 && { additionalDirectories }),
  };
  const taken = options.mcpServers.filter(({ launch }) => takes(live, launch));
  const leftOut = options.mcpServers.filter((server) => !taken.includes(server)).map(({ name }) => name);
  const mcpServers = taken.map(serverFor);
  const method = live.canResume ? 'session/resume' : live.canLoad ? 'session/load' : undefined;
  if (sessionId !== undefined && method) {
    try {
      const answer = await live.request(method, { sessionId, ...folders, mcpServers }, timeouts.sessionMs);
      return { sessionId, isResumed: true, answer, leftOut };
    } catch (error) {
      if (!(error instanceof RequestError)) throw failed(config, live, error);
      // It does not know the session any more, so it gets a new one.
    }
  }
  try {
    const answer = await live.request('session/new', { ...folders, mcpServers }, timeouts.sessionMs);
    const made = text(fields(answer).sessionId);
    if (!made) throw new Error('it gave the new session no id');
    return { sessionId: made, isResumed: false, answer, leftOut };
  } catch (error) {
    throw failed(config, live, error);
  }
}

/** Almost every agent takes programs; addresses only those that say so. */
function takes(live: LiveAgent, launch: AgentMcpServer['launch']): boolean {
  return launch.kind === 'stdio' ? live.takesProgramServers : live.takesHttpServers;
}

/** An MCP server in ACP's format. */
function serverFor({ name, launch }: AgentMcpServer): object {
  if (launch.kind === 'http') return { type: 'http', name, url: launch.url, headers: pairs(launch.headers) };
  const { command, args = [], env } = launch;
  return { name, command, args, env: pairs(env) };
}

function pairs(values: Readonly<Record<string, string>> = {}) {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

function failed(config: AcpAgentConfig, live: LiveAgent, error: unknown): AgentError {
  if (error instanceof RequestError && error.code === AUTH_REQUIRED) return loginNeeded(config, live);
  const why = live.explain(error);
  return new AgentError('agentNotStarted', `${nameOf(config)} could not open a session: ${why}${live.lastWords}`);
}

export function loginNeeded(config: AcpAgentConfig, live: LiveAgent): AgentError {
  return new AgentError('authRequired', `${nameOf(config)} is not logged in. ${live.loginHint}, then try again.`);
}

/** The error code of agents when nobody is logged in. */
export const AUTH_REQUIRED = -32000;

import { RequestError } from '@agentclientprotocol/sdk';
import { AgentError, type EarlierSession, type EarlierTurn } from '@moorage/host/ports';
import { type Fields, fields, list, text } from '../../shared/untrusted.js';
import { type AcpAgentOptions, nameOf } from '../config.js';
import type { AgentRequests } from '../connection/connection.js';
import type { AcpTimeouts } from '../timeouts.js';
import { LiveAgent } from './live-agent.js';
import { NOTHING_SERVED } from './nothing-served.js';
import { AUTH_REQUIRED, loginNeeded } from './open-session.js';
import { Replay } from './replay.js';
import { titleOf } from './session-updates.js';

/** Sessions of a folder that are listed, and pages of the agent's list that are read for them. */
const MAX_LISTED = 200;
const MAX_PAGES = 20;

export interface EarlierOptions {
  readonly config: AcpAgentOptions;
  readonly cwd: string;
  readonly timeouts: AcpTimeouts;
  readonly signal: AbortSignal;
}

/** Starts an agent for a moment, to ask which sessions it has in a folder. */
export async function listEarlier(options: EarlierOptions): Promise<readonly EarlierSession[]> {
  const { config, cwd, timeouts } = options;
  return withAgent(options, NOTHING_SERVED, async (live) => {
    if (!live.canList) throw new AgentError('notListed', `${nameOf(config)} does not list its sessions.`);
    const found: EarlierSession[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES && found.length < MAX_LISTED; page++) {
      const answer = fields(await live.request('session/list', { cwd, ...(cursor && { cursor }) }, timeouts.sessionMs));
      found.push(...list(answer.sessions).flatMap((entry) => sessionOf(fields(entry), cwd)));
      cursor = text(answer.nextCursor);
      if (!cursor) break;
    }
    return found.slice(0, MAX_LISTED);
  });
}

/** Starts an agent for a moment, to let it repeat what was said in one of its sessions. */
export async function readEarlier(options: EarlierOptions, sessionId: string): Promise<readonly EarlierTurn[]> {
  const { config, cwd, timeouts } = options;
  const replay = new Replay();
  const requests = { ...NOTHING_SERVED, update: (params: unknown) => replay.take(fields(fields(params).update)) };
  return withAgent(options, requests, async (live) => {
    const method = live.canLoad ? 'session/load' : live.canResume ? 'session/resume' : undefined;
    if (!method) throw new AgentError('notResumable', `${nameOf(config)} cannot continue its earlier sessions.`);
    await live.request(method, { sessionId, cwd, mcpServers: [] }, timeouts.sessionMs);
    return replay.turns;
  });
}

async function withAgent<T>(
  { config, cwd, timeouts, signal }: EarlierOptions,
  requests: AgentRequests,
  work: (live: LiveAgent) => Promise<T>,
): Promise<T> {
  const live = await LiveAgent.start(config, cwd, requests, timeouts, signal);
  try {
    return await work(live);
  } catch (error) {
    if (error instanceof AgentError) throw error;
    if (error instanceof RequestError && error.code === AUTH_REQUIRED) throw loginNeeded(config, live);
    const why = live.explain(error);
    throw new AgentError('earlierSessions', `${nameOf(config)} could not read its earlier sessions: ${why}`);
  } finally {
    await live.stop();
  }
}

/** Agents list what is in their home folder, and some of them all of it. */
function sessionOf({ sessionId, cwd, title, updatedAt }: Fields, folder: string): EarlierSession[] {
  const id = text(sessionId);
  if (!id || id.length > MAX_ID_CHARS || (cwd !== undefined && cwd !== folder)) return [];
  const time = Date.parse(text(updatedAt) ?? '');
  return [{ id, title: titleOf(title), updatedAt: Number.isNaN(time) ? undefined : new Date(time).toISOString() }];
}

const MAX_ID_CHARS = 500;

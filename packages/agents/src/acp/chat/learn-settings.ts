import type { AcpAgentOptions } from '../config.js';
import { readSettings, type Setting } from '../settings.js';
import type { AcpTimeouts } from '../timeouts.js';
import { LiveAgent } from './live-agent.js';
import { NOTHING_SERVED } from './nothing-served.js';
import { openSession } from './open-session.js';

/** Starts an agent for a moment, to find out what its sessions can be set to. Rejects when it cannot be started. */
export async function learnSettings(
  config: AcpAgentOptions,
  cwd: string,
  timeouts: AcpTimeouts,
  signal: AbortSignal,
): Promise<readonly Setting[]> {
  const live = await LiveAgent.start(config, cwd, NOTHING_SERVED, timeouts, signal);
  try {
    const { answer } = await openSession(live, { config, cwd, mcpServers: [], sessionId: undefined, timeouts });
    return readSettings(answer);
  } finally {
    await live.stop();
  }
}

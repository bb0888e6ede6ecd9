import type { AcpAgentOptions } from '../config.js';
import { readSettings, type Setting } from '../settings.js';
import type { AcpTimeouts } from '../timeouts.js';
import { LiveAgent } from './live-agent.js';
import { NOTHING_SERVED } from './nothing-served.js';
import { openSession } from './open-session.js';

/** What a running agent says of itself. */
export interface Learnt {
  readonly settings: readonly Setting[];
  readonly takesSeveralFolders: boolean;
}

/** Starts an agent for a moment, to find out what its sessions can be set to. Rejects when it cannot be started. */
export async function learnSettings(
  config: AcpAgentOptions,
  cwd: string,
  timeouts: AcpTimeouts,
  signal: AbortSignal,
): Promise<Learnt> {
  const live = await LiveAgent.start(config, cwd, NOTHING_SERVED, timeouts, signal);
  try {
    const nothing = { additionalDirectories: [], mcpServers: [], sessionId: undefined };
    const { answer } = await openSession(live, { config, cwd, ...nothing, timeouts });
    return { settings: readSettings(answer), takesSeveralFolders: live.takesSeveralFolders };
  } finally {
    await live.stop();
  }
}

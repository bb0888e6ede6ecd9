import { fileURLToPath } from 'node:url';
import type { AcpAgentOptions } from '@moorage/agents/acp';

const SCRIPT = fileURLToPath(new URL('../../../packages/agents/test/acp/scripted-agent.mjs', import.meta.url));

/** The project's own ACP agent, as one would configure it. */
export function scripted(options: Partial<AcpAgentOptions> = {}): AcpAgentOptions {
  return { id: 'scripted', displayName: 'Scripted', command: process.execPath, args: [SCRIPT], ...options };
}

import type { AgentProvider } from '@moorage/host/ports';
import type { AcpAgentOptions } from './config.js';
import { AcpProvider } from './provider.js';

export type { AcpAgentConfig, AcpAgentOptions } from './config.js';
export { type KnownAgent, knownAgents } from './known-agents.js';

/** Any agent that speaks the Agent Client Protocol on standard input and output. */
export function acpAgent(options: AcpAgentOptions): AgentProvider {
  return new AcpProvider(options);
}

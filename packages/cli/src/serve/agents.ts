import { join } from 'node:path';
import { type AcpAgentConfig, acpAgent, knownAgents } from '@ahpd/agents/acp';
import { demoAgent } from '@ahpd/agents/demo';
import type { AgentProvider, Log } from '@ahpd/host';
import type { Config } from './config.js';
import { modelAgents } from './model-agents.js';

/** The agents of this host: the demo, the built-in one on models, those that are configured, and known ones that are installed. */
export function agentsOf({ agents = {} }: Config, dataDir: string, log: Log): AgentProvider[] {
  const configured = Object.entries(agents).flatMap(([id, agent]): AcpAgentConfig[] =>
    agent.type === 'acp' ? [{ ...agent, id }] : [],
  );
  const taken = new Set(['demo', ...Object.keys(agents)]);
  const found = [...configured, ...knownAgents(taken)];
  // Asked for once per agent: models and settings are known before its first session in this life of the host.
  const memoryFile = (id: string) => join(dataDir, 'agents', `${encodeURIComponent(id)}.json`);
  return [
    demoAgent(),
    ...modelAgents(agents, { dataDir, environment: process.env, log }),
    ...found.map((agent) => acpAgent({ ...agent, memoryFile: memoryFile(agent.id), log })),
  ];
}

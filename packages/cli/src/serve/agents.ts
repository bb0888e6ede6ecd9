import { join } from 'node:path';
import { type AcpAgentConfig, acpAgent, knownAgents } from '@moorage/agents/acp';
import { demoAgent } from '@moorage/agents/demo';
import { type FoundModelServer, modelAgent, unconfiguredModelAgent } from '@moorage/agents/model';
import type { AgentProvider, Log } from '@moorage/host';
import { addCommandOf, modelServers } from '../model-servers.js';
import type { Config } from './config.js';

type Agents = NonNullable<Config['agents']>;

/** All agents of the host: the demo, the built-in one for each model endpoint, and those that speak ACP. */
export function agentsOf({ agents = {} }: Config, dataDir: string, log: Log): AgentProvider[] {
  return [demoAgent(), ...modelAgents(agents, dataDir, log), ...acpAgents(agents, dataDir, log)];
}

/** Without any model in the configuration there is one agent that says how to add it. */
function modelAgents(agents: Agents, dataDir: string, log: Log): AgentProvider[] {
  const found = Object.entries(agents).flatMap(([id, settings]) => {
    if (settings.type !== 'model') return [];
    const { type: _type, apiKeyEnv, ...rest } = settings;
    const apiKey = apiKeyEnv === undefined ? undefined : process.env[apiKeyEnv];
    const grantsFile = join(dataDir, `always-allowed-${id}.json`);
    return [modelAgent({ id, ...rest, apiKey, apiKeyEnv, grantsFile, log })];
  });
  return found.length > 0 || 'model' in agents ? found : [unconfiguredModelAgent(localServer)];
}

async function localServer(): Promise<FoundModelServer | undefined> {
  const [first] = await modelServers();
  return first && { ...first, command: addCommandOf(first) };
}

/** Those of the configuration, and known ones, which are offered while they are installed. */
function acpAgents(agents: Agents, dataDir: string, log: Log): AgentProvider[] {
  const configured = Object.entries(agents).flatMap(([id, agent]): AcpAgentConfig[] =>
    agent.type === 'acp' ? [{ ...agent, id }] : [],
  );
  const known = knownAgents(takenIds(agents)).map(({ install: _install, login: _login, ...agent }) => ({
    ...agent,
    ifInstalled: true,
  }));
  return [...configured, ...known].map((agent) => {
    // Keeps what the agent said of its models and settings, so that they are known before its first session.
    const memoryFile = join(dataDir, 'agents', `${encodeURIComponent(agent.id)}.json`);
    return acpAgent({ ...agent, memoryFile, log });
  });
}

/** What clients are told of known agents, also of those that are not installed: the commands that help. */
export function agentCommands({ agents = {} }: Config): readonly object[] {
  return knownAgents(takenIds(agents)).map(({ id, displayName, install, login }) => ({
    provider: id,
    displayName,
    install,
    login,
  }));
}

function takenIds(agents: Agents): ReadonlySet<string> {
  return new Set(['demo', ...Object.keys(agents)]);
}

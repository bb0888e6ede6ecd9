import { join } from 'node:path';
import { modelAgent, unconfiguredModelAgent } from '@ahpd/agents/model';
import type { AgentProvider, Log } from '@ahpd/host';
import type { AgentConfig } from './agent-config.js';

export interface ModelAgentsContext {
  readonly dataDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
}

/** The built-in agent for each model endpoint of the configuration; without any, one that says how to add it. */
export function modelAgents(
  agents: Readonly<Record<string, AgentConfig>>,
  { dataDir, environment, log }: ModelAgentsContext,
): AgentProvider[] {
  const found = Object.entries(agents).flatMap(([id, settings]) => {
    if (settings.type !== 'model') return [];
    const { type: _type, apiKeyEnv, ...rest } = settings;
    const apiKey = apiKeyEnv === undefined ? undefined : environment[apiKeyEnv];
    return [
      modelAgent({ id, ...rest, apiKey, apiKeyEnv, grantsFile: join(dataDir, `always-allowed-${id}.json`), log }),
    ];
  });
  return found.length > 0 || 'model' in agents ? found : [unconfiguredModelAgent()];
}

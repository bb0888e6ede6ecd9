import type { Client } from '@moorage/client';
import { type AgentStatus, agentStatuses } from '@moorage/protocol';
import { folderUri } from '../sessions/find.js';

/** All agents of a host, and those that it knows and that are not installed. With `check`, it tries those never used. */
export async function agentStates(client: Client, check: boolean): Promise<AgentStatus[]> {
  const root = await client.root();
  if (check) await Promise.all(root.confirmed.agents.map(({ provider }) => tryAgent(client, provider)));
  return agentStatuses(root.confirmed);
}

/** The host starts an agent for a moment when it is asked for settings that it does not know yet. */
async function tryAgent(client: Client, provider: string): Promise<void> {
  const folder = client.hostInfo.defaultDirectory ?? folderUri('.');
  await client.request('resolveSessionConfig', { provider, workingDirectory: folder }).catch(() => {}); // shown anyway
}

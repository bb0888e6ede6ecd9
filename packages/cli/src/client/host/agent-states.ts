import type { Client } from '@moorage/client';
import { type AgentInfo, ExtensionMeta, isObject } from '@moorage/protocol';
import { folderUri } from '../sessions/find.js';

type AgentState = 'ready' | 'not logged in' | 'too old' | 'not installed' | 'not configured' | 'cannot be used';

export interface AgentStatus {
  readonly provider: string;
  readonly displayName: string;
  readonly state: AgentState;
  /** What the host says of it. */
  readonly description: string;
  /** The command that helps, to be run on the host's machine. */
  readonly command?: string;
  readonly models: AgentInfo['models'];
}

interface KnownAgent {
  readonly provider: string;
  readonly displayName: string;
  readonly install: string;
  readonly login: string;
}

/** All agents of a host, and those that it knows and that are not installed. With `check`, it tries those never used. */
export async function agentStates(client: Client, check: boolean): Promise<AgentStatus[]> {
  const root = await client.root();
  if (check) await Promise.all(root.confirmed.agents.map(({ provider }) => tryAgent(client, provider)));
  const { agents, _meta } = root.confirmed;
  const known = readKnown(_meta?.[ExtensionMeta.knownAgents]);
  const offered = agents.map((agent): AgentStatus => {
    const { provider, displayName, description, models } = agent;
    const state = stateOf(description);
    const commands = known.find((each) => each.provider === provider);
    const command = state === 'not logged in' ? commands?.login : state === 'ready' ? undefined : commands?.install;
    return { provider, displayName, state, description, models, ...(command !== undefined && { command }) };
  });
  const missing = known.filter(({ provider }) => !agents.some((agent) => agent.provider === provider));
  return [
    ...offered,
    ...missing.map(({ provider, displayName, install }) => {
      return { provider, displayName, state: 'not installed' as const, description: '', command: install, models: [] };
    }),
  ];
}

/** The host starts an agent for a moment when it is asked for settings that it does not know yet. */
async function tryAgent(client: Client, provider: string): Promise<void> {
  const folder = client.hostInfo.defaultDirectory ?? folderUri('.');
  await client.request('resolveSessionConfig', { provider, workingDirectory: folder }).catch(() => {}); // shown anyway
}

/** The protocol has only the description of an agent; these are the words of our host. */
function stateOf(description: string): AgentState {
  if (description.startsWith('No model is configured.')) return 'not configured';
  if (!description.startsWith('Cannot be used now: ')) return 'ready';
  if (/ is not logged in\. /.test(description)) return 'not logged in';
  if (/ it is too old; update it/.test(description)) return 'too old';
  return / was not found\. /.test(description) ? 'not installed' : 'cannot be used';
}

function readKnown(value: unknown): KnownAgent[] {
  return Array.isArray(value) ? value.filter(isKnownAgent) : [];
}

function isKnownAgent(value: unknown): value is KnownAgent {
  const members: readonly (keyof KnownAgent)[] = ['provider', 'displayName', 'install', 'login'];
  return isObject(value) && members.every((member) => typeof value[member] === 'string');
}

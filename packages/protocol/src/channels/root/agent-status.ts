import { ExtensionMeta } from '../../common/extension-meta.js';
import { isObject } from '../../common/is-object.js';
import type { AgentInfo, RootState } from './state.js';

/** Whether an agent can be used now. What is only found out by starting one counts as ready until then. */
export const AGENT_STATES = [
  'ready',
  'not logged in',
  'too old',
  'not installed',
  'not configured',
  'cannot be used',
] as const;
export type AgentState = (typeof AGENT_STATES)[number];

export interface AgentStatus {
  /** The id of the agent. */
  readonly provider: string;
  /** The agent's name as users read it, such as `Claude Code`. */
  readonly displayName: string;
  /** Whether it can be used. */
  readonly state: AgentState;
  /** What the host says of it. */
  readonly description: string;
  /** The command that helps, to be run on the host's machine. */
  readonly command?: string;
  /** The models to choose from. */
  readonly models: AgentInfo['models'];
}

interface KnownAgent {
  readonly provider: string;
  readonly displayName: string;
  readonly install: string;
  readonly login: string;
}

/** All agents of a host, and those that it would offer if they were installed. */
export function agentStatuses({ agents, _meta }: RootState): AgentStatus[] {
  const known = readKnown(_meta?.[ExtensionMeta.knownAgents]);
  const offered = agents.map((agent): AgentStatus => {
    const { provider, displayName, description, models } = agent;
    const state = AGENT_STATES.find((each) => each === agent._meta?.[ExtensionMeta.agentState]) ?? 'ready';
    const commands = known.find((each) => each.provider === provider);
    const own = agent._meta?.[ExtensionMeta.agentCommand];
    const usual = state === 'not logged in' ? commands?.login : commands?.install;
    const command = state === 'ready' ? undefined : typeof own === 'string' ? own : usual;
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

function readKnown(value: unknown): KnownAgent[] {
  return Array.isArray(value) ? value.filter(isKnownAgent) : [];
}

function isKnownAgent(value: unknown): value is KnownAgent {
  const members: readonly (keyof KnownAgent)[] = ['provider', 'displayName', 'install', 'login'];
  return isObject(value) && members.every((member) => typeof value[member] === 'string');
}

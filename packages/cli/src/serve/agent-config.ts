import { type AuthConfig, authProblem, TOKEN_ENV } from './auth-config.js';
import { modelProblem } from './model-agents.js';

export interface Problem {
  readonly path: readonly (string | number)[];
  readonly expected: string;
}

/** An agent that speaks the Agent Client Protocol on standard input and output. */
interface AcpConfig {
  readonly type: 'acp';
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly passEnv?: readonly string[];
  readonly displayName?: string;
  readonly description?: string;
  readonly fs?: boolean;
  readonly terminal?: boolean;
  readonly auth?: AuthConfig & { readonly tokenEnv: string };
}

export type AgentConfig = AcpConfig | { readonly type: 'model' };

export interface McpServer {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What is wrong with the agents of a configuration file, if anything is. */
export function findAgentProblem(key: string, agents: unknown): Problem | undefined {
  return findInEach(key, agents, (path, agent) => {
    const wrongAuth =
      agent.auth === undefined ? undefined : authProblem(agent.auth, agent.type === 'acp' ? TOKEN_ENV : {});
    if (wrongAuth) return { path: [...path, 'auth', ...wrongAuth.path], expected: wrongAuth.expected };
    const problem = agent.type === 'model' ? modelProblem(agent) : undefined;
    if (problem) return { path: [...path, problem.key], expected: problem.expected };
    if (agent.type === 'model') return undefined;
    if (agent.type !== 'acp') return { path: [...path, 'type'], expected: '"acp" or "model"' };
    return findWrongMember(path, agent, ACP_MEMBERS);
  });
}

export function findMcpServerProblem(key: string, servers: unknown): Problem | undefined {
  return findInEach(key, servers, (path, server) => {
    if ('url' in server) return undefined;
    return findWrongMember(path, server, SERVER_MEMBERS);
  });
}

interface Kind {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
}

const TEXT: Kind = { expected: 'a string', fits: (value) => typeof value === 'string' };
const SWITCH: Kind = { expected: 'true or false', fits: (value) => typeof value === 'boolean' };
const TEXTS: Kind = { expected: 'a list of strings', fits: (value) => Array.isArray(value) && value.every(TEXT.fits) };
const VARIABLES: Kind = {
  expected: 'an object whose values are strings',
  fits: (value) => isObject(value) && Object.values(value).every(TEXT.fits),
};
const PROGRAM: Kind = { expected: 'the name or path of a program', fits: (value) => TEXT.fits(value) && value !== '' };

const SERVER_MEMBERS: Readonly<Record<string, Kind>> = { command: PROGRAM, args: TEXTS, env: VARIABLES, type: TEXT };
const ACP_MEMBERS: Readonly<Record<string, Kind>> = {
  ...SERVER_MEMBERS,
  passEnv: TEXTS,
  displayName: TEXT,
  description: TEXT,
  fs: SWITCH,
  terminal: SWITCH,
  auth: { expected: 'an object', fits: isObject }, // its members were looked at before
};

function findInEach(
  key: string,
  value: unknown,
  find: (path: string[], member: Readonly<Record<string, unknown>>) => Problem | undefined,
): Problem | undefined {
  if (!isObject(value)) return { path: [key], expected: 'an object with a member for each' };
  for (const [name, member] of Object.entries(value)) {
    const path = [key, name];
    if (key === 'agents' && (name === 'demo' || !/^[\w.-]{1,64}$/.test(name)))
      return { path, expected: 'another name: letters, digits, dots and dashes, and not "demo"' };
    const problem = isObject(member) ? find(path, member) : { path, expected: 'an object' };
    if (problem) return problem;
  }
  return undefined;
}

function findWrongMember(
  path: string[],
  value: Readonly<Record<string, unknown>>,
  members: Readonly<Record<string, Kind>>,
): Problem | undefined {
  if (!('command' in value)) return { path, expected: 'a member "command": the name or path of a program' };
  for (const [name, member] of Object.entries(value)) {
    const kind = Object.hasOwn(members, name) ? members[name] : undefined;
    if (!kind) return { path: [...path, name], expected: `one of the keys ${Object.keys(members).join(', ')}` };
    if (!kind.fits(member)) return { path: [...path, name], expected: kind.expected };
  }
  return undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { type AuthConfig, authProblem, TOKEN_ENV } from './auth-config.js';
import {
  findInEach,
  findWrongMember,
  isObject,
  type Members,
  PROGRAM,
  type Problem,
  SWITCH,
  TEXT,
  TEXTS,
  VARIABLES,
} from './config-members.js';
import { modelProblem } from './model-agents.js';

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
    if (!('command' in agent)) return { path, expected: 'a member "command": the name or path of a program' };
    return findWrongMember(path, agent, ACP_MEMBERS);
  });
}

const ACP_MEMBERS: Members = {
  command: PROGRAM,
  args: TEXTS,
  env: VARIABLES,
  type: TEXT,
  passEnv: TEXTS,
  displayName: TEXT,
  description: TEXT,
  fs: SWITCH,
  terminal: SWITCH,
  auth: { expected: 'an object', fits: isObject }, // its members were looked at before
};

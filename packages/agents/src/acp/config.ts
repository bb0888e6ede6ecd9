import type { Log } from '@moorage/host/ports';
import type { ProtectedResource } from '../protected-resource.js';
import type { AgentProgram } from './process/agent-process.js';

/** An agent that speaks ACP on standard input and output. */
export interface AcpAgentConfig extends AgentProgram {
  /** The provider id that sessions name. */
  readonly id: string;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  /** Whether the agent may read and write files through the host. Some agents need it off to work. */
  readonly fs?: boolean | undefined;
  /** Whether the agent may run commands in terminals of the host. */
  readonly terminal?: boolean | undefined;
  /** Variables that tell the agent that the user trusts the folder, without which it runs no MCP servers there. */
  readonly trustEnv?: Readonly<Record<string, string>> | undefined;
  /** The resource that clients give a token for, and the environment variable in which the agent gets it. */
  readonly auth?: (ProtectedResource & { readonly tokenEnv: string }) | undefined;
}

export interface AcpAgentOptions extends AcpAgentConfig {
  /** Where the agent's models and settings are remembered, so that they are known before it is started again. */
  readonly memoryFile?: string | undefined;
  readonly log?: Log | undefined;
  /** Offer it only while its program is installed, instead of saying that it cannot be used. */
  readonly ifInstalled?: boolean | undefined;
}

/** What users call the agent. */
export function nameOf({ id, displayName }: AcpAgentConfig): string {
  return displayName ?? id;
}

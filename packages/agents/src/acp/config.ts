import type { Log } from '@ahpd/host/ports';
import type { ProtectedResource } from '../protected-resource.js';
import type { AgentProgram } from './process/agent-process.js';

/** An agent that speaks ACP on standard input and output. */
export interface AcpAgentConfig extends AgentProgram {
  /** The provider id that sessions name. */
  readonly id: string;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  /** Whether the agent may read and write files through the host. Some work better, some not at all with it. */
  readonly fs?: boolean | undefined;
  /** Whether the agent may run commands in terminals of the host. */
  readonly terminal?: boolean | undefined;
  /** What clients give a token for, and the environment variable in which the agent gets it. */
  readonly auth?: (ProtectedResource & { readonly tokenEnv: string }) | undefined;
}

export interface AcpAgentOptions extends AcpAgentConfig {
  /** Where the models and settings of the agent are remembered, so that they are known before its next start. */
  readonly memoryFile?: string | undefined;
  readonly log?: Log | undefined;
}

/** Milliseconds; tests shorten them. */
export interface AcpTimeouts {
  readonly startMs: number;
  readonly sessionMs: number;
  readonly silenceMs: number;
  readonly quietMs: number;
  readonly cancelMs: number;
  readonly idleMs: number;
}

/** What users know the agent by. */
export function nameOf({ id, displayName }: AcpAgentConfig): string {
  return displayName ?? id;
}

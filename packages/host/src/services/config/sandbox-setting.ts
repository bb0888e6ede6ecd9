import { invalidParams } from '../../core/errors.js';
import type { Sandbox, SandboxMode } from '../../ports/sandbox.js';

const MODES: readonly SandboxMode[] = ['off', 'network', 'listed', 'offline'];

export function isSandboxMode(value: unknown): value is SandboxMode {
  return MODES.some((mode) => mode === value);
}

/** The modes that sessions can choose; undefined if this host has no sandbox. */
export interface SandboxFacts {
  readonly mode: SandboxMode;
  readonly offered: readonly SandboxMode[];
}

/** What a new session asks for, else what is usual. One that cannot be had is refused, whoever asks: no client may rely on it. */
export function chosenSandbox(
  sandbox: Sandbox | undefined,
  given: unknown,
  agent: { readonly isConfinable?: boolean | undefined; readonly info: { readonly provider: string } },
): SandboxFacts | undefined {
  const mode = given ?? sandbox?.usual;
  if (mode !== undefined && !isSandboxMode(mode))
    throw invalidParams(`params/config: setting "sandbox": expected one of ${MODES.join(', ')}`);
  if (mode !== undefined && mode !== 'off') {
    const problem = sandbox ? sandbox.problem(mode) : 'this host has none';
    if (problem !== undefined) throw invalidParams(`params/config: setting "sandbox": ${problem}; or set it to off`);
    if (!agent.isConfinable)
      throw invalidParams(`params/config: setting "sandbox": the agent "${agent.info.provider}" cannot be confined`);
  }
  const isOffered = (other: SandboxMode) => other === 'off' || (agent.isConfinable && !sandbox?.problem(other));
  return sandbox && mode && { mode, offered: MODES.filter(isOffered) };
}

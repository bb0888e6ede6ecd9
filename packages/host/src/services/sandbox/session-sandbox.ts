import type { SessionState, URI } from '@moorage/protocol';
import { AgentError } from '../../ports/agent.js';
import { type ConfinedLaunch, type ConfinedProgram, type Sandbox, SandboxError } from '../../ports/sandbox.js';
import { isSandboxMode } from '../config/sandbox-setting.js';

/** What to start instead of a program of the session. Rejects with an AgentError: nothing may be started then. */
export type Confine = (program: ConfinedProgram) => Promise<ConfinedLaunch>;

/** How the programs of a session are confined to its folders, by real path; undefined if they are not. */
export function confinementOf(
  sandbox: Sandbox | undefined,
  { uri, state }: { readonly uri: URI; readonly state: SessionState },
  folders: () => readonly string[],
): Confine | undefined {
  const { sandbox: mode = 'off' } = state.config?.values ?? {};
  if (mode === 'off') return undefined;
  return async (program) => {
    if (!sandbox || !isSandboxMode(mode) || mode === 'off')
      throw new AgentError('noSandbox', 'This session wants a sandbox, which this host does not have.');
    try {
      return await sandbox.confine(program, { session: uri, mode, folders: folders() });
    } catch (cause) {
      if (!(cause instanceof SandboxError)) throw cause;
      throw new AgentError('noSandbox', cause.message, { cause });
    }
  };
}

/** Variables of the host that programs in a sandbox get. All others may hold secrets. */
const PASSED = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TERM|COLORTERM|TERM_PROGRAM)$/;

export function withoutSecrets(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => PASSED.test(name)));
}

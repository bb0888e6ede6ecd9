import type { TerminalState } from '@moorage/protocol';

/** The exit code of a terminal's program; undefined while it runs. */
export function exitCodeOf({ lifecycle }: Pick<TerminalState, 'lifecycle'>): number | undefined {
  return lifecycle.status === 'exited' ? lifecycle.exitCode : undefined;
}

import type { TerminalLifecycleState } from '@moorage/protocol';

export function exitText(lifecycle: TerminalLifecycleState): string {
  if (lifecycle.status === 'running') return 'running';
  const { exitCode } = lifecycle;
  if (exitCode === undefined) return 'ended';
  return exitCode === 0 ? 'done' : `ended with ${exitCode}`;
}

import type { Channel } from '../../core/channel.js';

/** The base branch that the session's configuration names, if any. */
export function baseBranchOf({ state }: Channel<'session'>): string | undefined {
  const value = state.config?.values.baseBranch;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

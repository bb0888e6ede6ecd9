import type { Channel } from '../../core/channel.js';

/** The branch that the session's configuration names, if it does. */
export function baseBranchOf({ state }: Channel<'session'>): string | undefined {
  const value = state.config?.values.baseBranch;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

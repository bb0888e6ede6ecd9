import type { Channel } from '../../core/channel.js';

/** The base branch that the session's configuration names, if any. It is about the session's first folder. */
export function baseBranchOf(
  { state }: Channel<'session'>,
  { isPrimary }: { readonly isPrimary: boolean } = { isPrimary: true },
): string | undefined {
  const value = state.config?.values.baseBranch;
  return isPrimary && typeof value === 'string' && value !== '' ? value : undefined;
}

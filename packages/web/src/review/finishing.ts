import type { ChangesetOperation } from '@moorage/protocol';

/** The steps that end the work on a change, in the order in which they come. */
export const FINISHING = ['commit', 'merge-back', 'push', 'create-pr'] as const;
type FinishingId = (typeof FINISHING)[number];

/** What the host says about the branch (`_meta.git` of a session). */
export interface BranchState {
  readonly upstreamBranchName?: unknown;
  readonly outgoingChanges?: unknown;
}

/**
 * The step that comes next: a commit as long as there is something to commit; then a pull request, which pushes as well;
 * without a forge the merge of a work tree; else the push of what is not there yet. Undefined if nothing is left, or
 * something stands in the way of every step.
 */
export function nextStep(
  operations: readonly ChangesetOperation[],
  branch: { readonly isChanged: boolean; readonly state: BranchState },
): ChangesetOperation | undefined {
  const possible = (id: FinishingId) =>
    operations.find((operation) => operation.id === id && operation.status !== 'disabled');
  const commit = possible('commit');
  if (commit) return commit;
  const isPushed = branch.state.upstreamBranchName !== undefined && branch.state.outgoingChanges === 0;
  const push = isPushed ? undefined : possible('push');
  if (!branch.isChanged) return push && branch.state.upstreamBranchName !== undefined ? push : undefined;
  return possible('create-pr') ?? possible('merge-back') ?? push;
}

import { ExtensionMeta, primaryDirectory, type SessionState } from '@moorage/protocol';
import { pathOf } from '../ui/format.js';
import { visible } from '../ui/visible.js';

/** The work tree that a session has to itself. */
export interface Worktree {
  readonly path: string;
  readonly branch: string | undefined;
  /** Whether it is removed with the session if nothing in it would be lost. */
  readonly isRemovedIfClean: boolean;
}

export function worktreeOf(session: SessionState): Worktree | undefined {
  const { isolation, branchName, worktreeOnEnd } = session.config?.values ?? {};
  if (isolation !== 'worktree') return undefined;
  return {
    path: pathOf(primaryDirectory(session)),
    branch: typeof branchName === 'string' && branchName !== '' ? branchName : undefined,
    isRemovedIfClean: worktreeOnEnd === 'remove-if-clean',
  };
}

/** What the session's last state says about the removal of its work tree. */
export function worktreeOutcome({ _meta }: SessionState): string | undefined {
  const { path, kept, reason } = (_meta?.[ExtensionMeta.worktree] ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof path !== 'string') return undefined;
  if (!kept) return 'Its work tree was removed too.';
  const because = typeof reason === 'string' ? `: ${visible(reason)}` : '';
  return `Its work tree is kept at ${visible(path)}${because}.`;
}

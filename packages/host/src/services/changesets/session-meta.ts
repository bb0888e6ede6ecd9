import { ExtensionMeta } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { CommittingDoor } from '../../core/door-parts.js';
import type { WorkspaceInfo } from '../../ports/workspace.js';

/** Shows the repository's branch, and why changes are not tracked as they should be; undefined once they are. */
export function showInMeta(
  door: CommittingDoor,
  session: Channel<'session'>,
  problem: string | undefined,
  git: object | undefined,
): void {
  if (!door.isOpen(session)) return;
  const { [ExtensionMeta.changesProblem]: _problem, git: _git, ...others } = session.state._meta ?? {};
  const _meta = { ...others, ...(git && { git }), ...(problem && { [ExtensionMeta.changesProblem]: problem }) };
  if (JSON.stringify(_meta) === JSON.stringify(session.state._meta ?? {})) return;
  const isEmpty = Object.keys(_meta).length === 0;
  door.commit(session, { type: 'session/metaChanged', ...(!isEmpty && { _meta }) });
}

/** The session's `_meta.git`, in the words of VS Code, which shows it (V-33); undefined without a repository. */
export function gitMeta({ git, branch, baseBranch, uncommittedFiles }: WorkspaceInfo): object | undefined {
  if (!git || !branch) return undefined;
  const { name, upstream, hasGitHubRemote } = branch;
  return {
    hasGitHubRemote,
    ...(name !== undefined && { branchName: name }),
    ...(baseBranch !== undefined && { baseBranchName: baseBranch }),
    ...(upstream && {
      upstreamBranchName: upstream.name,
      incomingChanges: upstream.behind,
      outgoingChanges: upstream.ahead,
    }),
    ...(uncommittedFiles !== undefined && { uncommittedChanges: uncommittedFiles }),
  };
}

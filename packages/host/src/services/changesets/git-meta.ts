import type { WorkspaceInfo } from '../../ports/workspace.js';

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

import { primaryDirectory } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { Workspace, Workspaces } from '../../ports/workspace.js';
import type { HostContext } from '../context.js';

/** Finds the folder that a session works in. */
export class SessionFolders {
  readonly #folders: HostContext['folders'];
  readonly #workspaces: Workspaces;

  constructor({ folders }: HostContext, workspaces: Workspaces) {
    this.#folders = folders;
    this.#workspaces = workspaces;
  }

  /** Its real path; undefined if the session has none, or is not ready. */
  pathOf(session: Channel<'session'>): string | undefined {
    const workingDirectory = primaryDirectory(session.state);
    // Before the session is ready its work tree may not exist, and if its creation failed it never will.
    return workingDirectory === undefined || session.state.lifecycle !== 'ready'
      ? undefined
      : this.#folders.resolve(workingDirectory);
  }

  workspaceOf(session: Channel<'session'>): Workspace | undefined {
    const folder = this.pathOf(session);
    return folder === undefined ? undefined : this.#workspaces.open(folder);
  }
}

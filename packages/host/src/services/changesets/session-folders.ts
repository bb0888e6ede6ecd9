import type { URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import { FolderError } from '../../ports/folders.js';
import type { Workspace, Workspaces } from '../../ports/workspace.js';
import type { HostContext } from '../context.js';

/** One of the folders that a session works in. */
export interface SessionFolder {
  readonly session: URI;
  /** As the session names it; `path` is its real path. */
  readonly uri: URI;
  readonly path: string;
  readonly workspace: Workspace;
  /** Whether it is the session's first folder, which its settings are about. */
  readonly isPrimary: boolean;
  /** Under this key is stored what is known about the session in this folder. */
  readonly key: string;
}

/** Finds the folders that a session works in. */
export class SessionFolders {
  readonly #folders: HostContext['folders'];
  readonly #workspaces: Workspaces;

  constructor({ folders }: HostContext, workspaces: Workspaces) {
    this.#folders = folders;
    this.#workspaces = workspaces;
  }

  /**
   * Those that can be used now, the first one first. None if the session has none, or is not ready. Throws a FolderError if
   * the first one cannot be used; others are left out.
   */
  of(session: Channel<'session'>): SessionFolder[] {
    return this.#all(session).flatMap((found) => ('path' in found ? [found] : []));
  }

  /** The same, but none if the first one cannot be used. */
  usable(session: Channel<'session'>): SessionFolder[] {
    try {
      return this.of(session);
    } catch (error) {
      if (error instanceof FolderError) return [];
      throw error;
    }
  }

  /** Why some of them cannot be used, in words for people; undefined if all can. */
  problem(session: Channel<'session'>): string | undefined {
    const problems = this.#all(session).flatMap((found) => ('problem' in found ? [found.problem] : []));
    return problems.length > 0 ? `Changes there are not tracked: ${problems.join('; ')}.` : undefined;
  }

  #all(session: Channel<'session'>): (SessionFolder | { readonly problem: string })[] {
    // Before the session is ready its work tree may not exist, and if its creation failed it never will.
    if (session.state.lifecycle !== 'ready') return [];
    return (session.state.workingDirectories ?? []).map((uri, index) => {
      try {
        return this.#folder(session.uri, uri, index === 0);
      } catch (error) {
        if (index === 0 || !(error instanceof FolderError)) throw error;
        return { problem: error.message };
      }
    });
  }

  #folder(session: URI, uri: URI, isPrimary: boolean): SessionFolder {
    const path = this.#folders.resolve(uri);
    const workspace = this.#workspaces.open(path);
    const key = isPrimary ? inFirstFolder(session).key : `folder ${workspace.id} ${session}`;
    return { session, uri, path, workspace, isPrimary, key };
  }
}

/** A session in its first folder. That stays the same, and its records are older than sessions with several folders. */
export function inFirstFolder(session: URI): Pick<SessionFolder, 'session' | 'key'> {
  return { session, key: session };
}

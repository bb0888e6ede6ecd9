import type { AgentChatOptions } from '@moorage/host/ports';
import { strict, type URI } from '@moorage/protocol';
import { Type } from '@moorage/protocol/internal';
import type { GrantsFile } from './grants-file.js';

/** Sessions whose grants are held in memory, the most recently opened: the host keeps those of all. */
const MAX_REMEMBERED_SESSIONS = 1_000;

/** Grants of one session: more would mean that a model asks for ever new things and the user allows them all. */
const MAX_SESSION_GRANTS = 1_000;

/** What users have allowed: for a session, kept with it by the host, or always, kept in a file. */
export class Grants {
  /** Chats that are open at the same time share one set, so what is allowed in one counts at once in the others. */
  readonly #sessions = new Map<URI, Set<string>>();
  readonly #file: GrantsFile | undefined;

  constructor(file?: GrantsFile) {
    this.#file = file;
  }

  openChat({ session, sessionState, workingDirectory, host }: AgentChatOptions): ChatGrants {
    const grants = this.#sessions.get(session) ?? new Set(savedGrants(sessionState));
    this.#sessions.delete(session); // so that it is the last to be forgotten
    this.#sessions.set(session, grants);
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= MAX_REMEMBERED_SESSIONS) break;
      this.#sessions.delete(oldest);
    }
    const save = () => host.saveSessionState({ grants: [...grants] });
    return new ChatGrants(grants, save, workingDirectory, this.#file);
  }
}

export class ChatGrants {
  readonly #session: Set<string>;
  readonly #save: () => void;
  readonly #folder: string | undefined;
  readonly #file: GrantsFile | undefined;

  constructor(session: Set<string>, save: () => void, folder: string | undefined, file: GrantsFile | undefined) {
    this.#session = session;
    this.#save = save;
    this.#folder = folder;
    this.#file = file;
  }

  allows(key: string): boolean {
    if (this.#session.has(key)) return true;
    return this.#folder === undefined ? false : (this.#file?.allows(this.#folder, key) ?? false);
  }

  allowForSession(key: string): void {
    if (this.#session.has(key) || this.#session.size >= MAX_SESSION_GRANTS) return;
    this.#session.add(key);
    this.#save();
  }

  /** Kept only in the file, so that removing it there takes it back. If it cannot be written, it counts for the session. */
  allowAlways(key: string): void {
    const isKept = this.#folder !== undefined && this.#file?.add(this.#folder, key);
    if (!isKept) this.allowForSession(key);
  }
}

const sessionGrants = strict(Type.Object({ grants: Type.Array(Type.String(), { maxItems: MAX_SESSION_GRANTS }) }));

/** Another version may have written it: what does not fit is ignored, and asked about again. */
function savedGrants(saved: unknown): readonly string[] {
  return sessionGrants.check(saved) ? saved.grants : [];
}

import type { URI } from '@ahpd/protocol';
import type { GrantsFile } from './grants-file.js';

/** Sessions whose grants are known while no chat of theirs is open; each chat keeps them, too. */
const MAX_REMEMBERED_SESSIONS = 1_000;

/** Grants of one session: more would mean that a model asks for ever new things and the user allows them all. */
const MAX_SESSION_GRANTS = 1_000;

/** What users have allowed, by session and for always. */
export class Grants {
  readonly #sessions = new Map<URI, Set<string>>();
  readonly #file: GrantsFile | undefined;

  constructor(file?: GrantsFile) {
    this.#file = file;
  }

  openChat(session: URI, folder: string | undefined, saved: readonly string[]): ChatGrants {
    const known = this.#sessions.get(session) ?? new Set<string>();
    for (const key of saved) add(known, key);
    this.#sessions.delete(session); // the newest is the last to be forgotten
    this.#sessions.set(session, known);
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= MAX_REMEMBERED_SESSIONS) break;
      this.#sessions.delete(oldest);
    }
    return new ChatGrants(known, folder, this.#file);
  }
}

export class ChatGrants {
  readonly #session: Set<string>;
  readonly #folder: string | undefined;
  readonly #file: GrantsFile | undefined;

  constructor(session: Set<string>, folder: string | undefined, file: GrantsFile | undefined) {
    this.#session = session;
    this.#folder = folder;
    this.#file = file;
  }

  get ofSession(): string[] {
    return [...this.#session];
  }

  allows(key: string): boolean {
    if (this.#session.has(key)) return true;
    return this.#folder === undefined ? false : (this.#file?.allows(this.#folder, key) ?? false);
  }

  allowForSession(key: string): void {
    add(this.#session, key);
  }

  /** Kept in the file alone, so that taking it back there is enough; where it cannot be kept it ends with the session. */
  allowAlways(key: string): void {
    const isKept = this.#folder !== undefined && this.#file?.add(this.#folder, key);
    if (!isKept) add(this.#session, key);
  }
}

function add(grants: Set<string>, key: string): void {
  if (grants.size < MAX_SESSION_GRANTS) grants.add(key);
}

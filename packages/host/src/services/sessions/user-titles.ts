import type { URI } from '@moorage/protocol';
import type { Committed } from '../../core/committed.js';
import type { CommittingDoor } from '../../core/door-parts.js';
import type { DocumentPut } from '../../ports/store.js';

/** Remembers which sessions a user has named: an agent may not rename those (B-112). Stored together with the title. */
export class UserTitles {
  readonly #door: CommittingDoor;

  constructor(door: CommittingDoor) {
    this.#door = door;
  }

  /** Follows a change of the title: one that a client has sent is the user's. */
  documentOf({ channel: { uri }, origin }: Committed<'session'>): DocumentPut | undefined {
    return origin ? mark(uri) : undefined;
  }

  has(session: URI): boolean {
    return this.#door.documents.read('userTitle', session) !== undefined;
  }

  /** A fork is titled after its source. */
  inherit(from: URI, fork: URI): void {
    if (this.has(from)) this.#door.documents.put(mark(fork));
  }
}

function mark(session: URI): DocumentPut {
  return { collection: 'userTitle', key: session, session, json: 'true' };
}

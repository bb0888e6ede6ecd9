import type { URI } from '@ahpd/protocol';
import type { Door } from '../../core/door.js';
import type { DocumentPut } from '../../ports/store.js';

/** Which sessions were named by a user: an agent may not change what they are called (B-112). Kept with the title. */
export class UserTitles {
  readonly #door: Door;

  constructor(door: Door) {
    this.#door = door;
    door.storeWith('session', ({ channel: { uri }, action, origin }) =>
      action.type === 'session/titleChanged' && origin ? mark(uri) : undefined,
    );
  }

  has(session: URI): boolean {
    return this.#door.document('userTitle', session) !== undefined;
  }

  /** A fork is called after its source. */
  inherit(from: URI, fork: URI): void {
    if (this.has(from)) this.#door.putDocument(mark(fork));
  }
}

function mark(session: URI): DocumentPut {
  return { collection: 'userTitle', key: session, session, json: 'true' };
}

import type { Turn } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import type { Committed } from '../../core/committed.js';
import type { CommittingDoor } from '../../core/door-parts.js';
import type { AgentChat } from '../../ports/agent.js';
import type { DocumentPut } from '../../ports/store.js';

/**
 * Remembers which agents have yet to forget truncated turns (OQ-57). Stored with the truncation: an agent that is not
 * running then would otherwise resume its own conversation with all the truncated turns.
 */
export class Rewinds {
  readonly #door: CommittingDoor;

  constructor(door: CommittingDoor) {
    this.#door = door;
  }

  /** Follows a truncation: the agent has to forget those turns as well. */
  documentOf({ channel: { uri, seq, keeping } }: Committed<'chat'>): DocumentPut | undefined {
    return keeping.kind === 'durable'
      ? { collection: 'rewind', key: uri, session: keeping.session, json: String(seq) }
      : undefined;
  }

  /** Has the chat's agent forget truncated turns, if it has not yet. */
  async settle({ uri }: Channel<'chat'>, agent: AgentChat, history: () => readonly Turn[]): Promise<void> {
    const pending = this.#door.documents.read('rewind', uri);
    if (pending === undefined) return;
    await agent.rewind(history());
    const isNewest = this.#door.documents.read('rewind', uri) === pending; // more may have been truncated meanwhile
    if (isNewest) this.#door.documents.put({ collection: 'rewind', key: uri, json: undefined });
  }
}

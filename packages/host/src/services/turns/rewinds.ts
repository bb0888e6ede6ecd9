import type { Turn } from '@ahpd/protocol';
import type { Channel } from '../../core/channel.js';
import type { Door } from '../../core/door.js';
import type { AgentChat } from '../../ports/agent.js';

/**
 * What agents still have to forget of their chats (OQ-57). It is stored with the truncation, since the agent may not be
 * there, and would take up its own conversation with all that was cut when it is the next time.
 */
export class Rewinds {
  readonly #door: Door;

  constructor(door: Door) {
    this.#door = door;
    door.documents.follow('chat', ({ channel: { uri, seq, keeping }, action }) =>
      action.type === 'chat/truncated' && keeping.kind === 'durable'
        ? { collection: 'rewind', key: uri, session: keeping.session, json: String(seq) }
        : undefined,
    );
  }

  /** Has the agent of a chat forget what was cut, if it has not yet. */
  async settle({ uri }: Channel<'chat'>, agent: AgentChat, history: () => readonly Turn[]): Promise<void> {
    const owed = this.#door.documents.read('rewind', uri);
    if (owed === undefined) return;
    await agent.rewind(history());
    const isNewest = this.#door.documents.read('rewind', uri) === owed; // more may have been cut meanwhile
    if (isNewest) this.#door.documents.put({ collection: 'rewind', key: uri, json: undefined });
  }
}

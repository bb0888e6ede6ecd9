import { COMMAND_META } from '../../annotations/for-agents.js';
import type { AgentCommands } from '../../turns/agent-commands.js';
import { search, searchable } from '../fuzzy.js';
import { MAX_ITEMS_OF_SOURCE } from '../limits.js';
import type { CompletionSource } from '../source.js';

/** The commands of the chat's agent, which stand at the start of a line. */
export function commandSource(commands: AgentCommands): CompletionSource {
  return {
    triggers: ['/'],
    complete({ session, chat, word }) {
      if (!word.isFirst) return [];
      const known = commands.of(chat.uri, session.state.summary.provider);
      const matches = search(searchable(known.map(({ name }) => name)), word.query, MAX_ITEMS_OF_SOURCE);
      return matches.flatMap(({ index }) => {
        const command = known[index];
        if (!command) return [];
        const { name, description, hint } = command;
        const about = { [COMMAND_META]: name, ...(description && { description }), ...(hint && { hint }) };
        return [
          {
            insertText: `/${name} `,
            // The message says it already: the host takes this off before the agent gets it.
            attachment: { type: 'simple' as const, label: `/${name}`, displayKind: 'command', _meta: about },
          },
        ];
      });
    },
  };
}

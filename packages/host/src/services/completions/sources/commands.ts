import type { AgentCommands } from '../../turns/agent-commands.js';
import { commandItems } from '../command-items.js';
import type { CompletionSource } from '../source.js';

/** The commands of the chat's agent, at the start of a line only. */
export function commandSource(commands: AgentCommands): CompletionSource {
  return {
    triggers: ['/'],
    complete({ session, chat, word }) {
      if (!word.isFirst) return [];
      const known = commands.of(chat.uri, session.state.provider);
      return commandItems(
        known.map((command) => ({ ...command, kind: 'command' })),
        word.query,
      );
    },
  };
}

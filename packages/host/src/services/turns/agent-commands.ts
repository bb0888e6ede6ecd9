import type { URI } from '@moorage/protocol';
import type { AgentCommand } from '../../ports/agent.js';
import type { HostContext } from '../context.js';
import { MAX_COMMAND_TEXT_CHARS, MAX_COMMANDS } from './limits.js';

/**
 * The slash commands of agents: those reported for a chat, else the last ones its agent reported in any chat, also
 * before a restart.
 */
export class AgentCommands {
  readonly #context: HostContext;
  readonly #byChat = new Map<URI, readonly AgentCommand[]>();

  constructor(context: HostContext) {
    this.#context = context;
  }

  /** Agents are untrusted: names that nobody could type are dropped, and texts are truncated. */
  set(chat: URI, provider: string, offered: readonly AgentCommand[]): void {
    const commands = offered
      .filter(({ name }) => /^[^\s/]{1,100}$/u.test(name))
      .slice(0, MAX_COMMANDS)
      .map(({ name, description, hint }) => ({
        name,
        ...(description && { description: description.slice(0, MAX_COMMAND_TEXT_CHARS) }),
        ...(hint && { hint: hint.slice(0, MAX_COMMAND_TEXT_CHARS) }),
      }));
    this.#byChat.set(chat, commands);
    const json = JSON.stringify(commands);
    const { door, store } = this.#context;
    if (store.documents.read('agentCommands', provider) === json) return;
    door.documents.put({ collection: 'agentCommands', key: provider, json });
  }

  of(chat: URI, provider: string): readonly AgentCommand[] {
    const known = this.#byChat.get(chat);
    if (known) return known;
    const { agents, store } = this.#context;
    const stored = store.documents.read('agentCommands', provider);
    if (stored !== undefined) return JSON.parse(stored) as AgentCommand[];
    return agents.get(provider)?.commands ?? [];
  }

  forget(chat: URI): void {
    this.#byChat.delete(chat);
  }
}

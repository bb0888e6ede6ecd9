import type { AgentCustomization, AgentCustomizations } from '../../../ports/customizations.js';
import type { AgentRegistry } from '../../agents.js';
import type { CustomizationService } from '../../customizations/customization-service.js';
import type { AgentCommands } from '../../turns/agent-commands.js';
import { commandItems, type Invocable } from '../command-items.js';
import type { CompletionSource } from '../source.js';

/** Enabled prompts and skills, for agents that understand `/name`. */
export function customizationSource(
  customizations: CustomizationService,
  agents: AgentRegistry,
  commands: AgentCommands,
): CompletionSource {
  return {
    triggers: ['/'],
    async complete({ session, chat, word, signal }) {
      const { provider } = session.state;
      if (!word.isFirst || !agents.get(provider)?.invokesCustomizations) return [];
      const taken = commands.of(chat.uri, provider).map(({ name }) => name);
      return commandItems(invocables(await customizations.enabled(session.uri, signal), taken), word.query);
    },
  };
}

/**
 * Under the names by which agents find them: the first with a name gets it, a later one from a plugin goes by
 * `plugin:name`.
 */
function invocables({ prompts, skills }: AgentCustomizations, taken: readonly string[]): Invocable[] {
  const found = new Map<string, Invocable>();
  const add = (kind: 'prompt' | 'skill') => (one: AgentCustomization) => {
    const names = [one.name, ...(one.plugin === undefined ? [] : [`${one.plugin}:${one.name}`])];
    const name = names.find((candidate) => !found.has(candidate) && !taken.includes(candidate));
    if (name !== undefined && /^\S+$/.test(name)) found.set(name, { name, kind, description: one.description });
  };
  prompts.forEach(add('prompt'));
  skills.forEach(add('skill'));
  return [...found.values()];
}

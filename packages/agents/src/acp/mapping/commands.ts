import type { AgentCommand } from '@moorage/host/ports';
import { fields, label, list, text } from '../../shared/untrusted.js';
import { MAX_COMMANDS } from './limits.js';

/** The commands that an agent offers, without those that have no name. A leading slash is not part of a name. */
export function readCommands(value: unknown): AgentCommand[] {
  return list(value)
    .slice(0, MAX_COMMANDS)
    .flatMap((entry) => {
      const { name, description, input } = fields(entry);
      const plain = text(name)?.trim().replace(/^\//, '');
      if (!plain) return [];
      return [{ name: plain, description: label(description), hint: label(fields(input).hint) }];
    });
}

import { ExtensionMeta } from '@moorage/protocol';
import { search, searchable } from './fuzzy.js';
import { MAX_ITEMS_OF_SOURCE } from './limits.js';
import type { Suggestion } from './source.js';

/** Something a user invokes with `/name` at the start of a line. */
export interface Invocable {
  readonly name: string;
  readonly kind: 'command' | 'prompt' | 'skill';
  readonly description?: string | undefined;
  readonly hint?: string | undefined;
}

/** Suggestions for the names that match the query, best first. */
export function commandItems(known: readonly Invocable[], query: string): Suggestion[] {
  const matches = search(searchable(known.map(({ name }) => name)), query, MAX_ITEMS_OF_SOURCE);
  return matches.flatMap(({ index }) => (known[index] ? [itemOf(known[index])] : []));
}

function itemOf({ name, kind, description, hint }: Invocable): Suggestion {
  const about = {
    command: name, // these three without a prefix are VS Code's, which shows no command without them (V-30)
    ...(hint && { argumentHint: hint }),
    ...(kind === 'skill' && { isSkill: true }),
    [ExtensionMeta.command]: name,
    ...(description && { [ExtensionMeta.description]: description }),
    ...(hint && { [ExtensionMeta.hint]: hint }),
  };
  return {
    insertText: `/${name} `,
    // The text of the message already names the command, so the host removes this attachment before the agent gets it.
    attachment: { type: 'simple', label: `/${name}`, displayKind: kind, _meta: about },
  };
}

import type { ActionEnvelope, StateAction } from '@moorage/protocol';

export interface MergedEnvelope {
  readonly envelope: ActionEnvelope;
  /** UTF-16 units by which it is longer than the first envelope. */
  readonly addedChars: number;
}

/**
 * Merges two adjacent appends to the same part into one envelope with the second's serverSeq; undefined when the two
 * cannot be merged. A subscriber that cannot keep up gets the same content in fewer messages, with nothing skipped.
 */
export function mergeEnvelopes(first: ActionEnvelope, second: ActionEnvelope): MergedEnvelope | undefined {
  if (first.channel !== second.channel || !isBare(first) || !isBare(second)) return undefined;
  const merged = first.action.type === second.action.type && mergeActions(named(first.action), named(second.action));
  if (!merged) return undefined;
  const action = { ...merged.action, type: second.action.type } as StateAction;
  return { envelope: { ...second, action }, addedChars: merged.addedChars };
}

/** A gateway knows actions as its clients see them: in versions before 0.4, what is said in a chat is said in its session. */
function named(action: StateAction): StateAction {
  const type = EARLIER_NAMES.get(action.type);
  return type === undefined ? action : ({ ...action, type } as StateAction);
}

const EARLIER_NAMES: ReadonlyMap<string, string> = new Map(
  ['delta', 'reasoning', 'toolCallDelta'].map((name) => [`session/${name}`, `chat/${name}`]),
);

/** The second of two appends to the same part, with the content of both. */
export function mergeActions(
  first: StateAction,
  second: StateAction,
): { action: StateAction; addedChars: number } | undefined {
  switch (first.type) {
    case 'terminal/data': {
      if (second.type !== 'terminal/data') return undefined;
      const { data } = second;
      return { action: { ...second, data: first.data + data }, addedChars: data.length };
    }
    case 'chat/delta':
    case 'chat/reasoning': {
      if (second.type !== first.type || second.turnId !== first.turnId || second.partId !== first.partId) {
        return undefined;
      }
      const { content } = second;
      return { action: { ...second, content: first.content + content }, addedChars: content.length };
    }
    case 'chat/toolCallDelta': {
      if (second.type !== first.type || second.turnId !== first.turnId || second.toolCallId !== first.toolCallId) {
        return undefined;
      }
      const added = second.content ?? '';
      const content = (first.content ?? '') + added;
      return { action: { ...first, ...second, content }, addedChars: added.length };
    }
    default:
      return undefined;
  }
}

/** An envelope that carries anything besides the append (an origin, a rejection, `_meta`) must reach the client unmerged. */
function isBare({ action, origin, rejectionReason }: ActionEnvelope): boolean {
  return !origin && !rejectionReason && !('_meta' in action && action._meta);
}

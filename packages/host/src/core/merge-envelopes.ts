import type { ActionEnvelope, StateAction } from '@ahpd/protocol';

export interface MergedEnvelope {
  readonly envelope: ActionEnvelope;
  /** UTF-16 units by which it is longer than the first of the two. */
  readonly addedChars: number;
}

/**
 * Two adjacent appends to the same thing as one envelope with the second's serverSeq; undefined when they are not.
 * For subscribers that cannot keep up: the same content in fewer messages, and nothing is skipped.
 */
export function mergeEnvelopes(first: ActionEnvelope, second: ActionEnvelope): MergedEnvelope | undefined {
  if (first.channel !== second.channel || !isPlain(first) || !isPlain(second)) return undefined;
  const merged = mergeActions(first.action, second.action);
  return merged && { envelope: { ...second, action: merged.action }, addedChars: merged.addedChars };
}

function mergeActions(
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
      const { content } = second;
      return { action: { ...first, ...second, content: first.content + content }, addedChars: content.length };
    }
    default:
      return undefined;
  }
}

/** Anything besides the bare append (an origin, a rejection, `_meta`) must reach the client as it is. */
function isPlain({ action, origin, rejectionReason }: ActionEnvelope): boolean {
  return !origin && !rejectionReason && !('_meta' in action && action._meta);
}

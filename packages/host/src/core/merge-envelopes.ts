import type { ActionEnvelope, StateAction } from '@ahpd/protocol';

/**
 * Two adjacent appends to the same thing as one envelope with the second's serverSeq; undefined when they are not.
 * For subscribers that cannot keep up: the same content in fewer messages, and nothing is skipped.
 */
export function mergeEnvelopes(first: ActionEnvelope, second: ActionEnvelope): ActionEnvelope | undefined {
  if (first.channel !== second.channel || !isPlain(first) || !isPlain(second)) return undefined;
  const action = mergeActions(first.action, second.action);
  return action && { ...second, action };
}

function mergeActions(first: StateAction, second: StateAction): StateAction | undefined {
  switch (first.type) {
    case 'terminal/data':
      return second.type === 'terminal/data' ? { ...second, data: first.data + second.data } : undefined;
    case 'chat/delta':
    case 'chat/reasoning':
      if (second.type !== first.type || second.turnId !== first.turnId || second.partId !== first.partId)
        return undefined;
      return { ...second, content: first.content + second.content };
    case 'chat/toolCallDelta':
      if (second.type !== first.type || second.turnId !== first.turnId || second.toolCallId !== first.toolCallId) {
        return undefined;
      }
      return { ...first, ...second, content: first.content + second.content };
    default:
      return undefined;
  }
}

/** Anything besides the bare append (an origin, a rejection, `_meta`) must reach the client as it is. */
function isPlain({ action, origin, rejectionReason }: ActionEnvelope): boolean {
  return !origin && !rejectionReason && !('_meta' in action && action._meta);
}

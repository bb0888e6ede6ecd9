import { asList, asObject, type WireObject } from './wire.js';

/** The tool call that an action is about, in the state of a chat of any version from 0.4 on. */
export function findCall(chat: unknown, { turnId, toolCallId }: WireObject): WireObject | undefined {
  const { activeTurn, turns } = asObject(chat);
  const active = asObject(activeTurn);
  const turn = active.id === turnId ? active : asList(turns).findLast(({ id }) => id === turnId);
  const part = asList(turn?.responseParts).find(({ toolCall }) => asObject(toolCall).toolCallId === toolCallId);
  return part && asObject(part.toolCall);
}

import { asObject, mapMember, mapObjects, type WireObject, without } from '../shared/wire.js';

/** `message` is `userMessage` here, and says nothing of who wrote it. */
export function renamedMessage(later: WireObject): WireObject {
  if (later.message === undefined) return later;
  const { message, ...others } = later;
  return { ...others, userMessage: userMessage(message) };
}

function userMessage(later: unknown): WireObject {
  return without(asObject(later), 'origin');
}

export function turn(later: WireObject): WireObject {
  return mapMember(renamedMessage(later), 'responseParts', (parts) => mapObjects(parts, responsePart));
}

export function responsePart(later: WireObject): WireObject {
  if (later.kind !== 'toolCall') return later;
  return mapMember(later, 'toolCall', (call) => withToolClient(withSuggestion(asObject(call))));
}

export function withSuggestion(later: WireObject): WireObject {
  return mapMember(later, 'userSuggestion', userMessage);
}

/** Only tools of clients were told apart. */
export function withToolClient(later: WireObject): WireObject {
  if (!('contributor' in later)) return later;
  const { contributor, ...others } = later;
  const { kind, clientId } = asObject(contributor);
  return kind === 'client' ? { ...others, toolClientId: clientId } : others;
}

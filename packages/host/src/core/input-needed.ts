import type { ActionOf, ChatState, ResponsePart, SessionInputRequest, SessionState, URI } from '@moorage/protocol';

type SessionAction = ActionOf<'session'>;

/** The session actions that make its list of what is waited for agree with a chat: nobody has to follow the chat to see it. */
export function inputNeededChanges(chat: ChatState, { inputNeeded = [] }: SessionState): SessionAction[] {
  const known = inputNeeded.filter((request) => request.chat === chat.resource);
  const needed = requestsOf(chat);
  if (known.length === 0 && needed.length === 0) return [];
  const gone = known.filter(({ id }) => !needed.some((request) => request.id === id));
  const changed = needed.filter((request) => !known.some((other) => isSame(other, request)));
  return [
    ...gone.map(({ id }) => ({ type: 'session/inputNeededRemoved' as const, id })),
    ...changed.map((request) => ({ type: 'session/inputNeededSet' as const, request })),
  ];
}

/** The session actions that remove what a chat waited for that is no longer there. */
export function inputNeededRemovals(chat: URI, { inputNeeded = [] }: SessionState): SessionAction[] {
  return inputNeeded
    .filter((request) => request.chat === chat)
    .map(({ id }) => ({ type: 'session/inputNeededRemoved' as const, id }));
}

function requestsOf({ resource, activeTurn }: ChatState): SessionInputRequest[] {
  if (!activeTurn) return [];
  return activeTurn.responseParts.flatMap((part) => requestOf(resource, activeTurn.id, part) ?? []);
}

/** What a part of the active turn waits for; undefined when it waits for nobody. */
function requestOf(chat: URI, turnId: string, part: ResponsePart): SessionInputRequest | undefined {
  if (part.kind === 'inputRequest') {
    const { request, response } = part;
    return response === undefined ? { kind: 'chatInput', id: `${chat}#${request.id}`, chat, request } : undefined;
  }
  if (part.kind !== 'toolCall') return undefined;
  const { toolCall } = part;
  const base = { id: `${chat}#${toolCall.toolCallId}`, chat, turnId };
  switch (toolCall.status) {
    case 'pending-confirmation':
    case 'pending-result-confirmation':
      return { ...base, kind: 'toolConfirmation', toolCall };
    case 'auth-required':
      return { ...base, kind: 'toolAuthentication', toolCall };
    case 'running':
      if (toolCall.contributor?.kind !== 'client') return undefined;
      return { ...base, kind: 'toolClientExecution', clientId: toolCall.contributor.clientId, toolCall };
    default:
      return undefined;
  }
}

function isSame(one: SessionInputRequest, other: SessionInputRequest): boolean {
  if (one.id !== other.id) return false;
  // A call and a question are replaced as a whole whenever they change, so what is the same object has not changed.
  const [before, after] = [contentOf(one), contentOf(other)];
  return before === after || JSON.stringify(one) === JSON.stringify(other);
}

function contentOf(request: SessionInputRequest): object {
  return request.kind === 'chatInput' ? request.request : request.toolCall;
}

/** The actions of a conversation: `chat/X` natively, `session/X` in versions without chats. */
const CONVERSATION = [
  'turnStarted',
  'delta',
  'responsePart',
  'reasoning',
  'usage',
  'turnComplete',
  'turnCancelled',
  'error',
  'toolCallStart',
  'toolCallDelta',
  'toolCallReady',
  'toolCallConfirmed',
  'toolCallComplete',
  'toolCallResultConfirmed',
  'toolCallContentChanged',
  'pendingMessageSet',
  'pendingMessageRemoved',
  'queuedMessagesReordered',
  'inputRequested',
  'inputAnswerChanged',
  'inputCompleted',
  'truncated',
] as const;

const toSession: ReadonlyMap<string, string> = new Map(CONVERSATION.map((name) => [`chat/${name}`, `session/${name}`]));
const toChat: ReadonlyMap<string, string> = new Map(CONVERSATION.map((name) => [`session/${name}`, `chat/${name}`]));

/** `session/delta` for `chat/delta`; undefined when it is no action of a conversation. */
export function sessionTypeOf(chatType: string): string | undefined {
  return toSession.get(chatType);
}

/** `chat/delta` for `session/delta`; undefined when it is no action of a conversation. */
export function chatTypeOf(sessionType: string): string | undefined {
  return toChat.get(sessionType);
}

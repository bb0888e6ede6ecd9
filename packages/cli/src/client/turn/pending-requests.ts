import type { Mirror } from '@moorage/client';
import { type ActionOf, type ChatInputRequest, openRequests, type ToolCallState } from '@moorage/protocol';

type PendingCall = Extract<ToolCallState, { status: 'pending-confirmation' }>;
type PendingResult = Extract<ToolCallState, { status: 'pending-result-confirmation' }>;

/** Something that an agent waits for the user to decide. */
export type PendingRequest =
  | { readonly kind: 'approval'; readonly chat: Mirror<'chat'>; readonly turnId: string; readonly call: PendingCall }
  | { readonly kind: 'result'; readonly chat: Mirror<'chat'>; readonly turnId: string; readonly call: PendingResult }
  | { readonly kind: 'question'; readonly chat: Mirror<'chat'>; readonly request: ChatInputRequest };

export type Approval = Exclude<PendingRequest, { kind: 'question' }>;

/** Everything open in these chats. What this client has decided is no longer open, even before the host confirms it. */
export function pendingRequests(chats: readonly Mirror<'chat'>[]): PendingRequest[] {
  return chats.flatMap((chat): PendingRequest[] => {
    const { activeTurn } = chat.optimistic;
    const calls = (activeTurn?.responseParts ?? []).flatMap((part): PendingRequest[] => {
      if (part.kind !== 'toolCall' || !activeTurn) return [];
      const { toolCall: call } = part;
      if (call.status === 'pending-confirmation') return [{ kind: 'approval', chat, turnId: activeTurn.id, call }];
      if (call.status === 'pending-result-confirmation') return [{ kind: 'result', chat, turnId: activeTurn.id, call }];
      return [];
    });
    const questions = openRequests(chat.optimistic).map(
      (request): PendingRequest => ({ kind: 'question', chat, request }),
    );
    return [...calls, ...questions];
  });
}

export function requestId(pending: PendingRequest): string {
  return pending.kind === 'question' ? pending.request.id : pending.call.toolCallId;
}

/** The action that decides on a tool call or on its result. */
export function decision(
  { kind, turnId, call }: Approval,
  approved: boolean,
  more: { readonly optionId?: string; readonly reason?: string } = {},
): ActionOf<'chat'> {
  const { toolCallId } = call;
  if (kind === 'result') return { type: 'chat/toolCallResultConfirmed', turnId, toolCallId, approved };
  const option = more.optionId === undefined ? {} : { selectedOptionId: more.optionId };
  if (approved) {
    return { type: 'chat/toolCallConfirmed', turnId, toolCallId, approved, confirmed: 'user-action', ...option };
  }
  const reason = more.reason === undefined ? {} : { reasonMessage: more.reason };
  return { type: 'chat/toolCallConfirmed', turnId, toolCallId, approved, reason: 'denied', ...option, ...reason };
}

import { type ChatInputRequest, type ChatState, openRequests, type ToolCallState } from '@moorage/protocol';

type ToolCallIn<S extends ToolCallState['status']> = Extract<ToolCallState, { status: S }>;

/** A tool call that runs only if somebody approves it. */
export interface PendingApproval {
  readonly kind: 'approval';
  /** What `approve` and `deny` take. */
  readonly id: string;
  /** The turn that waits. */
  readonly turnId: string;
  /** The call that waits for leave. */
  readonly toolCall: ToolCallIn<'pending-confirmation'>;
}

/** A tool call that ran, and whose result the agent gets only if somebody approves it. */
export interface PendingResult {
  readonly kind: 'result';
  /** What `approve` and `deny` take. */
  readonly id: string;
  /** The turn that waits. */
  readonly turnId: string;
  /** The call whose result the agent shall get. */
  readonly toolCall: ToolCallIn<'pending-result-confirmation'>;
}

/** Questions of the agent to the user. */
export interface PendingQuestions {
  readonly kind: 'questions';
  /** What `answer` and `deny` take. */
  readonly id: string;
  /** The questions, with the drafts of everybody. */
  readonly request: ChatInputRequest;
}

/** Something that an agent waits for a user to decide. */
export type PendingRequest = PendingApproval | PendingResult | PendingQuestions;

/** What the agent of a chat waits for, in the order of the transcript: tool calls first, then questions. */
export function pendingRequests({ activeTurn }: Pick<ChatState, 'activeTurn'>): PendingRequest[] {
  if (!activeTurn) return [];
  const turnId = activeTurn.id;
  const calls = activeTurn.responseParts.flatMap((part): PendingRequest[] => {
    if (part.kind !== 'toolCall') return [];
    const { toolCall } = part;
    const id = toolCall.toolCallId;
    if (toolCall.status === 'pending-confirmation') return [{ kind: 'approval', id, turnId, toolCall }];
    return toolCall.status === 'pending-result-confirmation' ? [{ kind: 'result', id, turnId, toolCall }] : [];
  });
  const questions = openRequests({ activeTurn }).map(
    (request) => ({ kind: 'questions', id: request.id, request }) as const,
  );
  return [...calls, ...questions];
}

import type {
  ChatInputAnswer,
  ChatInputRequest,
  ConfirmationOption,
  FileEdit,
  Message,
  StringOrMarkdown,
  ToolCallResult,
} from '@moorage/protocol';
import type { ToolCallDescription, ToolCallIdentity } from './agent-events.js';

/** Questions that an agent may put to the user during a turn. None of these promises rejects; a turn that ends cancels them. */
export interface AgentQuestions {
  /**
   * Asks the user whether a tool call may run. The call need not have been started before. One request is one question: a
   * second one for a call that still waits is `skipped`, because nobody has seen it; ask about it under another id. In a
   * resumed turn, a call that was answered meanwhile returns that answer. When `withdrawn` aborts, the question is closed
   * and the decision is `skipped`.
   */
  confirm(request: ToolConfirmation, withdrawn?: AbortSignal): Promise<ToolDecision>;
  /** Completes a call and asks the user whether the agent may use its result. */
  confirmResult(toolCallId: string, result: ToolCallResult): Promise<{ approved: boolean }>;
  /**
   * Asks the user one or more questions. A request whose id is open already is joined, not asked twice. In a
   * resumed turn, a request that was answered returns that answer. When `withdrawn` aborts, the request is closed with `cancel`.
   */
  ask(request: ChatInputRequest, withdrawn?: AbortSignal): Promise<InputOutcome>;
}

/** What the user is asked before a tool call runs. */
export interface ToolConfirmation extends ToolCallDescription {
  /** Required when no `toolCallStart` was emitted for the call; otherwise ignored. */
  readonly identity?: ToolCallIdentity;
  /** The question to the user; without it, clients make one of the message. */
  readonly title?: StringOrMarkdown;
  /** The changes to files that the call would make. */
  readonly edits?: FileEdit[];
  /** Whether the user may edit `toolInput`. */
  readonly editable?: boolean;
  /** What the user can choose; approve and deny when absent. */
  readonly options?: ConfirmationOption[];
}

/** What the user decided about a tool call. */
export type ToolDecision =
  /** `toolInput` is set when the user edited it. */
  | { readonly approved: true; readonly toolInput?: string; readonly option?: ConfirmationOption }
  /** `cancelled`: the turn ended. `suggestion` is a message of the user about what to do instead. */
  | {
      readonly approved: false;
      readonly reason: 'denied' | 'skipped' | 'cancelled';
      readonly option?: ConfirmationOption;
      readonly message?: StringOrMarkdown;
      readonly suggestion?: Message;
    };

/** What the user answered. `answers` holds submitted and skipped answers by question id; `cancel` also when the turn ends. */
export type InputOutcome =
  | { readonly response: 'accept'; readonly answers: Readonly<Record<string, ChatInputAnswer>> }
  | { readonly response: 'decline' | 'cancel' };

import type {
  ChatInputAnswer,
  ChatInputRequest,
  ConfirmationOption,
  FileEdit,
  Message,
  StringOrMarkdown,
  ToolCallResult,
} from '@ahpd/protocol';
import type { ToolCallDescription, ToolCallIdentity } from './agent-events.js';

/** What an agent may ask the user during a turn. */
export interface AgentQuestions {
  /**
   * Asks the user about a tool call. It may be the first time that the call is mentioned. A call that waits already,
   * or was answered meanwhile, is not asked about twice. When `withdrawn` aborts, nobody is asked any more: skipped.
   */
  confirm(request: ToolConfirmation, withdrawn?: AbortSignal): Promise<ToolDecision>;
  /** Asks the user whether the agent may use the result of a call, which is then complete either way. */
  confirmResult(toolCallId: string, result: ToolCallResult): Promise<{ approved: boolean }>;
  /** Asks the user something. A request with this id that is open already is not asked twice. `withdrawn`: as above. */
  ask(request: ChatInputRequest, withdrawn?: AbortSignal): Promise<InputOutcome>;
}

/** What the user is asked before a tool call runs. */
export interface ToolConfirmation extends ToolCallDescription {
  /** Needed when the call was not started by an event before. */
  readonly identity?: ToolCallIdentity;
  readonly title?: StringOrMarkdown;
  readonly edits?: FileEdit[];
  readonly editable?: boolean;
  /** Without options the user gets approve and deny. */
  readonly options?: ConfirmationOption[];
}

/** What the user decided about a tool call. */
export type ToolDecision =
  | { readonly approved: true; readonly toolInput?: string; readonly option?: ConfirmationOption }
  | {
      readonly approved: false;
      readonly reason: 'denied' | 'skipped' | 'cancelled';
      readonly option?: ConfirmationOption;
      readonly message?: StringOrMarkdown;
      readonly suggestion?: Message;
    };

/** What the user answered, or that they would not. */
export type InputOutcome =
  | { readonly response: 'accept'; readonly answers: Readonly<Record<string, ChatInputAnswer>> }
  | { readonly response: 'decline' | 'cancel' };

import type {
  ContentRef,
  StringOrMarkdown,
  ToolCallContributor,
  ToolCallResult,
  ToolResultContent,
  UsageInfo,
} from '@moorage/protocol';

/**
 * What an agent reports during a turn. Consecutive `text` (or `reasoning`) events continue one part of the response; any
 * other part in between starts a new one. A tool call is started once, then runs (directly or after `confirm`), and must
 * end with `toolCallDone`. Events that do not fit the state of their call are ignored.
 */
export type AgentEvent =
  /** Markdown. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'contentRef'; readonly content: ContentRef }
  /** A message to the user that is not part of the answer. */
  | { readonly kind: 'notice'; readonly text: StringOrMarkdown }
  | { readonly kind: 'usage'; readonly usage: UsageInfo }
  | ({ readonly kind: 'toolCallStart' } & ToolCallIdentity)
  /** The next piece of the call's input while the model still writes it; `progress` says so to the user. */
  | {
      readonly kind: 'toolCallInput';
      readonly toolCallId: string;
      readonly text: string;
      readonly progress?: StringOrMarkdown;
    }
  /** The call runs without confirmation: none is needed, or a setting allows it. */
  | ({ readonly kind: 'toolCallRunning'; readonly confirmed?: 'not-needed' | 'setting' } & ToolCallDescription)
  /** What a running call shows so far; replaces what it showed before. */
  | { readonly kind: 'toolCallContent'; readonly toolCallId: string; readonly content: ToolResultContent[] }
  | { readonly kind: 'toolCallDone'; readonly toolCallId: string; readonly result: ToolCallResult };

/** Which tool is called. */
export interface ToolCallIdentity {
  /** Chosen by the agent; unique within the turn. All later events and requests refer to the call by it. */
  readonly toolCallId: string;
  /** The name that the agent knows the tool by. */
  readonly toolName: string;
  /** Shown in place of `toolName`, such as `Write file`. */
  readonly displayName: string;
  /** Who provides the tool, if not the agent itself. */
  readonly contributor?: ToolCallContributor;
  /** Sent to clients as `_meta`. */
  readonly meta?: Record<string, unknown>;
}

/** What the user sees of a tool call before it runs. */
export interface ToolCallDescription {
  /** The call that is described. */
  readonly toolCallId: string;
  /** What the call does, in the present tense. */
  readonly invocationMessage: StringOrMarkdown;
  /** The complete input, as text. */
  readonly toolInput?: string;
  /** Sent to clients as `_meta`. */
  readonly meta?: Record<string, unknown>;
}

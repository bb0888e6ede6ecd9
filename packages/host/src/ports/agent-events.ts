import type {
  ContentRef,
  StringOrMarkdown,
  ToolCallContributor,
  ToolCallResult,
  ToolResultContent,
  UsageInfo,
} from '@ahpd/protocol';

/** What happens in a turn. Text goes on in the open part of its kind until something else is emitted. */
export type AgentEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'contentRef'; readonly content: ContentRef }
  | { readonly kind: 'notice'; readonly text: StringOrMarkdown }
  | { readonly kind: 'usage'; readonly usage: UsageInfo }
  | ({ readonly kind: 'toolCallStart' } & ToolCallIdentity)
  | {
      readonly kind: 'toolCallInput';
      readonly toolCallId: string;
      readonly text: string;
      readonly progress?: StringOrMarkdown;
    }
  /** The call runs without asking anybody. */
  | ({ readonly kind: 'toolCallRunning'; readonly confirmed?: 'not-needed' | 'setting' } & ToolCallDescription)
  | { readonly kind: 'toolCallContent'; readonly toolCallId: string; readonly content: ToolResultContent[] }
  | { readonly kind: 'toolCallDone'; readonly toolCallId: string; readonly result: ToolCallResult };

/** What names a tool call in all events about it. */
export interface ToolCallIdentity {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly displayName: string;
  readonly contributor?: ToolCallContributor;
  readonly meta?: Record<string, unknown>;
}

/** What a user sees of a tool call before it runs. */
export interface ToolCallDescription {
  readonly toolCallId: string;
  readonly invocationMessage: StringOrMarkdown;
  readonly toolInput?: string;
  readonly meta?: Record<string, unknown>;
}

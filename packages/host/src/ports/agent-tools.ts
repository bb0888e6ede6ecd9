import type { ConfirmationOption, ToolCallResult, ToolDefinition } from '@moorage/protocol';
import type { ToolDecision } from './agent-questions.js';
import type { McpTool } from './mcp.js';

/**
 * Tools that others provide and that the agent may call during a turn. The host reports such a call from start to result,
 * so the agent must emit no events for it. Neither call rejects: a tool that is missing or fails gives a failed result.
 */
export interface AgentTools {
  /** Tools of the session's active client when the turn began, for `callClientTool`. */
  readonly clientTools: readonly ToolDefinition[];
  /** Tools of the session's MCP servers that were running when the turn began, for `callMcpTool`. */
  readonly mcpTools: readonly AgentMcpTool[];
  /** Runs a tool of the active client. `input` is JSON text. */
  callClientTool(call: { toolCallId: string; name: string; input: string }): Promise<ToolCallResult>;
  /** Runs a tool of an MCP server. The user is asked first, unless the tool is read-only or `isAllowed` is set. */
  callMcpTool(call: McpCallRequest): Promise<McpCallOutcome>;
}

/** A tool of an MCP server. The pair of `server` and `name` is unique in a session. */
export interface AgentMcpTool extends McpTool {
  /** The server that has it. */
  readonly server: string;
}

export interface McpCallRequest {
  /** The tool call that has been started for it. */
  readonly toolCallId: string;
  /** The server that has the tool. */
  readonly server: string;
  /** The name of the tool. */
  readonly name: string;
  /** JSON text of an object. */
  readonly input: string;
  /** The user has already allowed such calls, so none is asked. */
  readonly isAllowed?: boolean;
  /** What the user can choose when asked; approve and deny when absent. */
  readonly options?: ConfirmationOption[];
  /** Called right before the request goes to the server: from then on the call may have effects. */
  onStart?(): void;
}

/** What came of the call; `option` is the one that the user chose when asked. */
export type McpCallOutcome =
  | { readonly kind: 'done'; readonly result: ToolCallResult; readonly option?: ConfirmationOption }
  | { readonly kind: 'denied'; readonly decision: Extract<ToolDecision, { approved: false }> };

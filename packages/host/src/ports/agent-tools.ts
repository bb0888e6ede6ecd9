import type { ConfirmationOption, ToolCallResult, ToolDefinition } from '@ahpd/protocol';
import type { ToolDecision } from './agent-questions.js';
import type { McpTool } from './mcp.js';

/** Tools that are not the agent's own, which it may have called during a turn. */
export interface AgentTools {
  /** Tools of the session's active client, which this agent may call with `callClientTool`. */
  readonly clientTools: readonly ToolDefinition[];
  /** Tools of the session's MCP servers that work now, which this agent may call with `callMcpTool`. */
  readonly mcpTools: readonly AgentMcpTool[];
  /** Runs a tool of the active client as a tool call of this turn, from its start to its result: emit nothing for it. */
  callClientTool(call: { toolCallId: string; name: string; input: string }): Promise<ToolCallResult>;
  /**
   * Runs a tool of an MCP server as a tool call of this turn, from its start to its result: emit nothing for it. The user
   * is asked first, unless the tool only reads or the call says that it is allowed.
   */
  callMcpTool(call: McpCallRequest): Promise<McpCallOutcome>;
}

/** A tool of an MCP server; together the two names are unique in a session. */
export interface AgentMcpTool extends McpTool {
  readonly server: string;
}

/** A tool of an MCP server that an agent wants called. */
export interface McpCallRequest {
  readonly toolCallId: string;
  readonly server: string;
  readonly name: string;
  /** JSON text of an object. */
  readonly input: string;
  /** The user has allowed such calls before. */
  readonly isAllowed?: boolean;
  /** What the user can choose when asked; without them approve and deny. */
  readonly options?: ConfirmationOption[];
  /** Called when the tool is about to be called, which cannot be taken back. */
  onStart?(): void;
}

/** What came of it, as the agent may tell its model. */
export type McpCallOutcome =
  | { readonly kind: 'done'; readonly result: ToolCallResult; readonly option?: ConfirmationOption }
  | { readonly kind: 'denied'; readonly decision: Extract<ToolDecision, { approved: false }> };

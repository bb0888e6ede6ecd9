import type { ActionOf, Message } from '@moorage/protocol';
import type { AgentTurn, SpawnedChat } from '../../ports/agent-turn.js';
import type { Clock } from '../../ports/clock.js';
import type { TurnTokens } from '../auth/turn-tokens.js';
import type { FoundTool } from '../mcp/mcp-service.js';
import type { TurnTerminals } from '../terminals/turn-terminals.js';

/** What a turn's run needs from the rest of the host. */
export interface TurnRunHost {
  readonly clock: Clock;
  /** Gets ready what the agent needs from its first word on. */
  begin(signal: AbortSignal): Promise<void>;
  /** `recordFiles` captures the files before the agent changes any, `end` what it changed. */
  recordFiles(): Promise<void>;
  end(): Promise<void>;
  /** Resolves once the agent may act, or the signal aborts. */
  goAhead(signal: AbortSignal): Promise<void>;
  /** The model, custom agent and settings for this turn. */
  selection(): Pick<AgentTurn, 'model' | 'agent' | 'config'>;
  /** A message in the form agents get it, with attachments they cannot read written out as text. */
  present(message: Message): Message;
  commit(action: ActionOf<'chat'>): void;
  spawn(request: { toolCallId: string; title: string; message: string }, signal: AbortSignal): Promise<SpawnedChat>;
  storeContent: AgentTurn['storeContent'];
  customizations: AgentTurn['customizations'];
  /** The clients whose tools the agent may call, and those tools. */
  activeClients(): readonly { clientId: string; tools: AgentTurn['clientTools'] }[];
  /** The tokens that the turn may use. */
  readonly tokens: TurnTokens;
  /** Undefined if this host has no terminals. */
  readonly terminals: TurnTerminals | undefined;
  readonly mcp: TurnMcp;
  /** Limits the time a client may take for a call; returns how to stop watching. */
  watchClientTool(clientId: string, fail: (message: string) => void): () => void;
}

/** The MCP servers of the session. */
interface TurnMcp {
  tools(): AgentTurn['mcpTools'];
  find(server: string, name: string): FoundTool;
}

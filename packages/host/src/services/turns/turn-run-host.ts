import type { ActionOf, Message } from '@ahpd/protocol';
import type { AgentTurn, SpawnedChat } from '../../ports/agent-turn.js';
import type { Clock } from '../../ports/clock.js';
import type { TurnTokens } from '../auth/turn-tokens.js';
import type { FoundTool } from '../mcp/mcp-service.js';
import type { TurnTerminals } from '../terminals/turn-terminals.js';

/** What a run needs of the rest of the host. */
export interface TurnRunHost {
  readonly clock: Clock;
  /** Remembers the files before the agent gets to work, and what it made of them. */
  begin(signal: AbortSignal): Promise<void>;
  end(): Promise<void>;
  /** The model, the custom agent and the settings that this turn is to use. */
  selection(): Pick<AgentTurn, 'model' | 'agent' | 'config'>;
  /** A message as the agent gets it: what it could not read itself is written out. */
  present(message: Message): Message;
  commit(action: ActionOf<'chat'>): void;
  spawn(request: { toolCallId: string; title: string; message: string }, signal: AbortSignal): Promise<SpawnedChat>;
  storeContent: AgentTurn['storeContent'];
  customizations: AgentTurn['customizations'];
  /** The client whose tools the agent may call, with those tools. */
  activeClient(): { clientId: string; tools: AgentTurn['clientTools'] } | undefined;
  /** What the turn may use of protected resources. */
  readonly tokens: TurnTokens;
  /** Undefined in a host without terminals. */
  readonly terminals: TurnTerminals | undefined;
  readonly mcp: TurnMcp;
  /** Limits how long a client may take for a call; gives back how to call that off. */
  watchClientTool(clientId: string, fail: (message: string) => void): () => void;
}

/** The MCP servers of the session. */
interface TurnMcp {
  tools(): AgentTurn['mcpTools'];
  find(server: string, name: string): FoundTool;
}

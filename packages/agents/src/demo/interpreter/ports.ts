import type {
  AgentFiles,
  AgentTerminal,
  AgentTurn,
  McpCallOutcome,
  McpCallRequest,
  TerminalOutput,
  TerminalRequest,
  TurnOutcome,
} from '@moorage/host/ports';
import type { ContentRef, Static } from '@moorage/protocol';
import { Type } from '@moorage/protocol/internal';
import type { Awaitable } from '../../shared/abortable.js';
import type { Progress } from './progress.js';

/**
 * A turn as the interpreter sees it: either an AgentTurn itself, or its proxy in the agent's own process, where every answer
 * has to cross a pipe.
 */
export interface ScriptTurn extends Pick<AgentTurn, TurnMembers> {
  readonly message: { readonly text: string };
  readonly clientTools: readonly { readonly name: string }[];
  takeSteering(): Awaitable<{ readonly text: string } | undefined>;
  storeContent(content: Uint8Array, contentType: string): Awaitable<ContentRef>;
  createTerminal(request: ScriptCommand): Promise<ScriptTerminal>;
  callMcpTool(call: ScriptMcpCall): Promise<McpCallOutcome>;
}

/** A call of an MCP server's tool, without what cannot cross a pipe. */
export type ScriptMcpCall = Omit<McpCallRequest, 'onStart'>;

/** A command for a terminal of the host. */
export type ScriptCommand = Pick<TerminalRequest, 'command' | 'title'> & { readonly toolCallId: string };

export interface ScriptTerminal extends Pick<AgentTerminal, 'resource' | 'wait' | 'release'> {
  output(): Awaitable<TerminalOutput>;
}

type TurnMembers = 'turnId' | 'signal' | 'emit' | 'confirm' | 'ask' | 'callClientTool' | 'spawn';

/** What outlives a turn. */
export interface ScriptChat {
  readonly workingDirectory: string | undefined;
  readonly files: AgentFiles;
  setTitle(title: string): void;
  /** Resolves once the next step may run. A process of its own is stopped instead. */
  goAhead?(): Promise<void>;
  autoMode(): Awaitable<AutoMode>;
  setAutoMode(mode: AutoMode): void;
  /** Saves how far the turn has come. */
  saveProgress(progress: Progress): void;
  /** Kills the agent's process. Returns, with the outcome of the turn, only where there is no such process. */
  crash(): TurnOutcome;
}

/** Which tool calls run without confirmation in this session: none, those that edit files, or all. */
export const AutoModeSchema = Type.Enum(['off', 'edits', 'all']);
export type AutoMode = Static<typeof AutoModeSchema>;

import type { URI } from '@moorage/protocol';

/**
 * Terminals in which an agent may run commands during a turn. Both calls reject with an AgentError when the host has no
 * terminals, the turn is over, or the terminal cannot be used.
 */
export interface AgentTerminals {
  /**
   * Runs a command in a new terminal that all clients can watch. The terminal is claimed by the turn, and by the tool call
   * if one is given; for clients to show it there, the call's content must name the terminal. When the turn is cancelled
   * or fails, the program is killed; when the turn completes, the terminal is released.
   */
  createTerminal(request: TerminalRequest): Promise<AgentTerminal>;
  /** Claims a terminal that this session holds and that no tool call uses. */
  attachTerminal(request: { toolCallId?: string; resource: URI }): Promise<AgentTerminal>;
}

export interface TerminalRequest {
  /** The tool call that the terminal belongs to, if any. */
  readonly toolCallId?: string | undefined;
  /** A command line for a shell; with `args`, a program that gets exactly these arguments. */
  readonly command: string;
  /** The arguments of a program; without it, `command` is a line for the shell. */
  readonly args?: readonly string[] | undefined;
  /** Added to the environment that every terminal of the host gets. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** An absolute path within the folders of the host; the chat's working directory when absent. */
  readonly cwd?: string | undefined;
  /** What is shown above the terminal. */
  readonly title?: string | undefined;
  /** How many UTF-16 units of output are kept for `output`; the newest stay. The host caps it. */
  readonly outputLimit?: number | undefined;
}

/** A terminal as seen by the agent that runs a command in it. */
export interface AgentTerminal {
  /** The channel with which clients watch it. */
  readonly resource: URI;
  /** What the program has written so far, with escape sequences. */
  output(): TerminalOutput;
  /** Resolves when the program ends, the user detaches the terminal from the call, or it is disposed. Never rejects. */
  wait(): Promise<TerminalOutcome>;
  /** Kills the program; the terminal stays open for reading. Does nothing once the terminal is detached or released. */
  kill(): void;
  /** Gives up the claim of the turn and its call. A program that still runs continues in the background. */
  release(): void;
}

export interface TerminalOutput {
  /** What was printed, with its control sequences. */
  readonly output: string;
  /** Whether older output was dropped. */
  readonly truncated: boolean;
  /** Set once the program has ended. */
  readonly exitCode?: number;
}

/** How the command ended. */
export type TerminalOutcome =
  /** `exitCode` as shells report it: 128 plus the signal number for a program that a signal ended. */
  | { readonly kind: 'exited'; readonly exitCode: number; readonly signal?: number }
  /** The user lets the call go on without the program, which continues in the background. */
  | { readonly kind: 'detached' }
  /** A client disposed of the terminal. */
  | { readonly kind: 'disposed' };

import type { URI } from '@ahpd/protocol';

/** Terminals of the host, in which an agent may run commands during a turn. */
export interface AgentTerminals {
  /**
   * Runs a command in a terminal of the host that everybody can watch. The call claims it; to be shown there, the call's
   * content must name it. Cancelling the turn ends it. Rejects with an AgentError when it cannot be had.
   */
  createTerminal(request: TerminalRequest): Promise<AgentTerminal>;
  /** Claims a terminal again that the session still holds and that no call uses. */
  attachTerminal(request: { toolCallId?: string; resource: URI }): Promise<AgentTerminal>;
}

/** A command that an agent wants run in a terminal which clients can watch. */
export interface TerminalRequest {
  /** The call that uses it, if there is one already. */
  readonly toolCallId?: string | undefined;
  /** A command line for a shell; with `args` a program, which gets them as they are. */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Added to what every terminal of the host gets. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** An absolute path within the folders of the host; without it the chat's. */
  readonly cwd?: string | undefined;
  readonly title?: string | undefined;
  /** UTF-16 units of output that `output` gives at most, the newest. */
  readonly outputLimit?: number | undefined;
}

/** A terminal as the agent sees it that runs something in it. */
export interface AgentTerminal {
  readonly resource: URI;
  /** What was written so far, escape sequences included. */
  output(): TerminalOutput;
  /** How it ended, or that the user let the call go on without it: then it runs in the background. */
  wait(): Promise<TerminalOutcome>;
  /** Ends the program; the terminal stays to be looked at. */
  kill(): void;
  /** The agent has no more use for it: no call claims it any more. What still runs goes on in the background. */
  release(): void;
}

/** What the command has written so far. */
export interface TerminalOutput {
  readonly output: string;
  /** Older output is missing. */
  readonly truncated: boolean;
  readonly exitCode?: number;
}

/** How the command ended. */
export type TerminalOutcome =
  /** As shells count: 128 and the number of the signal that ended it. */
  | { readonly kind: 'exited'; readonly exitCode: number; readonly signal?: number }
  | { readonly kind: 'detached' }
  /** Somebody disposed of the terminal. */
  | { readonly kind: 'disposed' };

import type * as acp from '@agentclientprotocol/sdk';
import type { AgentTerminal, AgentTurn } from '@moorage/host/ports';
import type { URI } from '@moorage/protocol';

/** Terminals of one turn that an agent may hold at once. */
const MAX_TERMINALS = 32;

/** Terminals of one turn that the agent has released but its calls may still name: the newest of them. */
const MAX_RELEASED = 256;

/** UTF-16 units of output that an agent gets unless it sets a lower limit. */
const DEFAULT_OUTPUT_CHARS = 1024 * 1024;

interface OpenTerminal {
  readonly terminal: AgentTerminal;
  readonly shown: Shown;
  /** The whole command line. */
  readonly line: string;
  /** Whether a call of the turn shows it. */
  isShown: boolean;
}

/** What clients need to show a terminal. */
interface Shown {
  readonly resource: URI;
  readonly title: string;
}

/** The host's terminals that an agent uses in a turn, by the ids that the agent knows. */
export class Terminals {
  readonly #open = new Map<string, OpenTerminal>();
  readonly #released = new Map<string, Shown>();
  #last = 0;

  async create(turn: AgentTurn, params: acp.CreateTerminalRequest): Promise<acp.CreateTerminalResponse> {
    if (this.#open.size >= MAX_TERMINALS) throw new Error('too many terminals are open: release some first');
    const { command, args, env, cwd, outputByteLimit } = params;
    const line = [command, ...(args ?? [])].join(' ');
    const terminal = await turn.createTerminal({
      command,
      ...(args?.length && { args }),
      ...(env && { env: Object.fromEntries(env.map(({ name, value }) => [name, value])) }),
      ...(cwd && { cwd }),
      outputLimit: Math.min(outputByteLimit ?? DEFAULT_OUTPUT_CHARS, DEFAULT_OUTPUT_CHARS),
    });
    const terminalId = `terminal-${++this.#last}`;
    const shown = { resource: terminal.resource, title: line.slice(0, MAX_TITLE_CHARS) };
    this.#open.set(terminalId, { terminal, shown, line, isShown: false });
    return { terminalId };
  }

  /** For a call that shows it. */
  find(terminalId: string): Shown | undefined {
    const open = this.#open.get(terminalId);
    if (open) open.isShown = true;
    return open?.shown ?? this.#released.get(terminalId);
  }

  /** The terminals, or the one with this id, that no call has shown. From now on they count as shown. */
  takeUnshown(terminalId?: string): { readonly terminalId: string; readonly line: string }[] {
    return [...this.#open].flatMap(([id, open]) => {
      if (open.isShown || (terminalId !== undefined && id !== terminalId)) return [];
      open.isShown = true;
      return [{ terminalId: id, line: open.line }];
    });
  }

  output(terminalId: string): acp.TerminalOutputResponse {
    const { output, truncated, exitCode } = this.#get(terminalId).output();
    return { output, truncated, ...(exitCode !== undefined && { exitStatus: { exitCode } }) };
  }

  async wait(terminalId: string): Promise<acp.WaitForTerminalExitResponse> {
    const outcome = await this.#get(terminalId).wait();
    return outcome.kind === 'exited' ? { exitCode: outcome.exitCode } : { exitCode: null, signal: outcome.kind };
  }

  kill(terminalId: string): void {
    this.#get(terminalId).kill();
  }

  /** The agent is done with it. Clients can still look at it, and calls may still name it. */
  release(terminalId: string): void {
    if (this.#released.has(terminalId)) return;
    const { terminal, shown } = this.#getOpen(terminalId);
    if (terminal.output().exitCode === undefined) terminal.kill();
    terminal.release();
    this.#open.delete(terminalId);
    this.#released.set(terminalId, shown);
    if (this.#released.size <= MAX_RELEASED) return;
    const [oldest] = this.#released.keys();
    if (oldest !== undefined) this.#released.delete(oldest);
  }

  #get(terminalId: string): AgentTerminal {
    return this.#getOpen(terminalId).terminal;
  }

  #getOpen(terminalId: string): OpenTerminal {
    const open = this.#open.get(terminalId);
    if (!open) throw new Error(`there is no terminal ${terminalId}`);
    return open;
  }
}

/** UTF-16 units of the title of a terminal. */
const MAX_TITLE_CHARS = 200;

import type { TerminalSessionClaim, URI } from '@moorage/protocol';
import type { AgentTerminal, TerminalOutcome, TerminalOutput } from '../../ports/agent-terminals.js';
import { AGENT_OUTPUT_CHARS, MAX_AGENT_OUTPUT_CHARS } from './limits.js';
import type { Terminal } from './terminal.js';

/** A terminal as a tool call uses it, until the program ends or the terminal is detached from the call. */
export class ToolTerminal implements AgentTerminal {
  readonly #terminal: Terminal;
  readonly #claim: TerminalSessionClaim;
  readonly #limit: number;
  readonly #outcome: Promise<TerminalOutcome>;
  #tail = '';
  #truncated = false;

  constructor(terminal: Terminal, claim: TerminalSessionClaim, limit = AGENT_OUTPUT_CHARS) {
    this.#terminal = terminal;
    this.#claim = claim;
    this.#limit = Math.max(0, Math.min(limit, MAX_AGENT_OUTPUT_CHARS));
    terminal.onData((data) => this.#append(data));
    this.#outcome = new Promise((resolve) => {
      terminal.onExit((exit) => resolve({ kind: 'exited', ...exit }));
      terminal.onDetached(() => resolve({ kind: 'detached' }));
      terminal.onDisposed(() => resolve({ kind: 'disposed' }));
    });
  }

  get resource(): URI {
    return this.#terminal.channel.uri;
  }

  output(): TerminalOutput {
    this.#cut();
    const { exit } = this.#terminal;
    return { output: this.#tail, truncated: this.#truncated, ...(exit && { exitCode: exit.exitCode }) };
  }

  wait(): Promise<TerminalOutcome> {
    return this.#outcome;
  }

  /** Only while the call holds the terminal: the agent must not end a detached one. */
  kill(): void {
    if (this.#isClaimed) this.#terminal.kill();
  }

  release(): void {
    if (!this.#isClaimed) return;
    const { session, chat } = this.#claim;
    this.#terminal.claim({ kind: 'session', session, chat });
  }

  get #isClaimed(): boolean {
    const { claim } = this.#terminal.channel.state;
    const { turnId, toolCallId } = this.#claim;
    return claim.kind === 'session' && claim.turnId === turnId && claim.toolCallId === toolCallId;
  }

  /** Cuts only at twice the limit, because cutting copies. */
  #append(data: string): void {
    this.#tail += data;
    if (this.#tail.length > 2 * this.#limit) this.#cut();
  }

  #cut(): void {
    if (this.#tail.length <= this.#limit) return;
    this.#truncated = true;
    this.#tail = this.#tail.slice(this.#tail.length - this.#limit);
  }
}

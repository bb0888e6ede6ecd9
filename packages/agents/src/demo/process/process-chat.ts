import type { AgentChat, AgentTurn, Log, TurnOutcome } from '@moorage/host/ports';
import type { Timers } from '@moorage/protocol';
import { CANCELLED, CANNOT_RESUME, failed } from '../outcomes.js';
import { ChildAgent, type Death } from './child-agent.js';
import type { ServedChat } from './serve-turn.js';

/** Milliseconds after which an idle process is ended: a new start costs less than the memory of many idle ones. */
export const IDLE_MS = 60_000;

export interface ProcessChatOptions extends ServedChat {
  readonly script: string;
  readonly label: string;
  readonly workingDirectory: string | undefined;
  readonly timers: Timers;
  readonly log?: Log | undefined;
}

/** Runs scripts in a process of their own, started for a prompt and again whenever it is gone. */
export class ProcessChat implements AgentChat {
  readonly #options: ProcessChatOptions;
  readonly #stopping = new Set<Promise<void>>();
  #child: ChildAgent | undefined;
  #idle: unknown;
  #disposed = false;

  constructor(options: ProcessChatOptions) {
    this.#options = options;
  }

  async prompt(turn: AgentTurn): Promise<TurnOutcome> {
    if (turn.signal.aborted) return CANCELLED;
    if (this.#disposed) return failed({ errorType: 'agentDisposed', message: 'This chat was closed.' });
    const { memory, timers } = this.#options;
    const progress = turn.resumed ? memory.progressOf(turn.turnId) : undefined;
    if (turn.resumed && !progress) return CANNOT_RESUME;
    timers.clearTimeout(this.#idle);
    const outcome = await this.#liveChild().run(turn, progress);
    if (!this.#disposed) this.#idle = timers.setTimeout(() => this.#stopChild(), IDLE_MS);
    return outcome;
  }

  /** A script remembers nothing of earlier turns. */
  async rewind(): Promise<void> {}

  pause(isPaused: boolean): void {
    this.#child?.pause(isPaused);
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#options.timers.clearTimeout(this.#idle);
    this.#stopChild();
    await Promise.all(this.#stopping);
    this.#options.memory.close();
  }

  #liveChild(): ChildAgent {
    if (!this.#child || this.#child.gone) {
      this.#child = new ChildAgent({ ...this.#options, onDeath: (death) => this.#onDeath(death) });
    }
    return this.#child;
  }

  #stopChild(): void {
    const stopped = this.#child?.stop();
    this.#child = undefined;
    if (!stopped) return;
    this.#stopping.add(stopped);
    void stopped.then(() => this.#stopping.delete(stopped));
  }

  #onDeath({ error, inTurn, stderr }: Death): void {
    const { label, host, log } = this.#options;
    log?.write('warn', 'agent.ended', 'the process of a demo agent ended by itself', {
      chat: label,
      error: error.message,
      stderr,
    });
    if (!inTurn) host.died(error);
  }
}

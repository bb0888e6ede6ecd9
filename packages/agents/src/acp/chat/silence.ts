import { AgentError } from '@moorage/host/ports';
import type { AcpTimeouts } from '../timeouts.js';

export interface SilenceListener {
  /** Whether the agent waits for somebody else: the user, or a command. */
  isExcused(): boolean;
  say(text: string): void;
}

/** Watches over an agent's silence: first the user is told, and in the end the turn is given up. */
export class Silence {
  /** Rejects when the agent was silent for too long. */
  readonly tooLong: Promise<never>;
  #reject: (error: AgentError) => void = () => {};
  readonly #limits: Pick<AcpTimeouts, 'quietMs' | 'silenceMs'>;
  readonly #name: string;
  readonly #listener: SilenceListener;
  #quiet: NodeJS.Timeout | undefined;
  #end: NodeJS.Timeout | undefined;
  #wasAnnounced = false;
  #stopped = false;

  constructor(limits: Pick<AcpTimeouts, 'quietMs' | 'silenceMs'>, name: string, listener: SilenceListener) {
    this.#limits = limits;
    this.#name = name;
    this.#listener = listener;
    this.tooLong = new Promise((_, reject) => {
      this.#reject = reject;
    });
    this.tooLong.catch(() => {}); // it may reject when nobody waits for it any more
    this.heard();
  }

  heard(): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#end);
    if (this.#stopped) return;
    const { quietMs, silenceMs } = this.#limits;
    if (!this.#wasAnnounced) this.#quiet = setTimeout(() => this.#tell(), quietMs).unref();
    this.#end = setTimeout(() => this.#giveUp(), silenceMs).unref();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#quiet);
    clearTimeout(this.#end);
  }

  /** Some agents silently retry a failing model again and again. Saying so once in a turn is enough. */
  #tell(): void {
    if (this.#listener.isExcused()) return;
    this.#wasAnnounced = true;
    const seconds = Math.round(this.#limits.quietMs / 1000);
    const text = `${this.#name} has said nothing for ${seconds} s. Its model is slow, or fails and is asked again. Cancel the turn to stop it.`;
    this.#listener.say(text);
  }

  #giveUp(): void {
    if (this.#listener.isExcused()) {
      this.heard();
      return;
    }
    const minutes = Math.round(this.#limits.silenceMs / 60_000);
    const message = `${this.#name} said nothing for ${minutes} minutes and was ended. Send the message again to retry.`;
    this.#reject(new AgentError('agentSilent', message));
  }
}

import { AgentError } from '@ahpd/host/ports';
import type { AcpTimeouts } from '../config.js';

export interface SilenceListener {
  /** Somebody else is to do something: the user, or a command. */
  isExcused(): boolean;
  /** Tells the user. */
  say(text: string): void;
}

/** Watches that an agent says something now and then: first the user is told, and at last it is ended. */
export class Silence {
  /** Rejects when it was silent for too long. */
  readonly tooLong: Promise<never>;
  #reject: (error: AgentError) => void = () => {};
  readonly #limits: Pick<AcpTimeouts, 'quietMs' | 'silenceMs'>;
  readonly #name: string;
  readonly #listener: SilenceListener;
  #quiet: NodeJS.Timeout | undefined;
  #end: NodeJS.Timeout | undefined;
  #wasTold = false;
  #stopped = false;

  constructor(limits: Pick<AcpTimeouts, 'quietMs' | 'silenceMs'>, name: string, listener: SilenceListener) {
    this.#limits = limits;
    this.#name = name;
    this.#listener = listener;
    this.tooLong = new Promise((_, reject) => {
      this.#reject = reject;
    });
    this.tooLong.catch(() => {}); // it may happen when nobody waits for it any more
    this.heard();
  }

  heard(): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#end);
    if (this.#stopped) return;
    const { quietMs, silenceMs } = this.#limits;
    if (!this.#wasTold) this.#quiet = setTimeout(() => this.#tell(), quietMs).unref();
    this.#end = setTimeout(() => this.#giveUp(), silenceMs).unref();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#quiet);
    clearTimeout(this.#end);
  }

  /** Some agents ask a failing model again and again without a word. Once in a turn is enough to know. */
  #tell(): void {
    if (this.#listener.isExcused()) return;
    this.#wasTold = true;
    const seconds = Math.round(this.#limits.quietMs / 1000);
    const text = `${this.#name} has said nothing for ${seconds} s. Its model may be slow or failing. Cancel the turn to stop it.`;
    this.#listener.say(text);
  }

  #giveUp(): void {
    if (this.#listener.isExcused()) {
      this.heard();
      return;
    }
    const minutes = Math.round(this.#limits.silenceMs / 60_000);
    const message = `The agent said nothing for ${minutes} minutes and was ended. Send the message again to retry.`;
    this.#reject(new AgentError('agentSilent', message));
  }
}

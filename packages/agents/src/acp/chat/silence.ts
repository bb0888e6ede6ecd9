import { AgentError } from '@ahpd/host/ports';

/** Watches that an agent says something now and then, while nobody else is to do something. */
export class Silence {
  /** Rejects when it was silent for too long. */
  readonly tooLong: Promise<never>;
  #reject: (error: AgentError) => void = () => {};
  readonly #limitMs: number;
  readonly #isExcused: () => boolean;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(limitMs: number, isExcused: () => boolean) {
    this.#limitMs = limitMs;
    this.#isExcused = isExcused;
    this.tooLong = new Promise((_, reject) => {
      this.#reject = reject;
    });
    this.tooLong.catch(() => {}); // it may happen when nobody waits for it any more
    this.heard();
  }

  heard(): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => this.#check(), this.#limitMs);
    this.#timer.unref();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #check(): void {
    if (this.#isExcused()) {
      this.heard();
      return;
    }
    const minutes = Math.round(this.#limitMs / 60_000);
    const message = `The agent said nothing for ${minutes} minutes and was ended. Send the message again to retry.`;
    this.#reject(new AgentError('agentSilent', message));
  }
}

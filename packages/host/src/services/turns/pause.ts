/** Whether agents may act. A host that its fleet might have given up lets nothing begin that agents want to do. */
export class Pause {
  #reason: string | undefined;
  readonly #waiting = new Set<() => void>();

  /** Why agents may not act, in words for people; undefined if they may. */
  get reason(): string | undefined {
    return this.#reason;
  }

  set(reason: string | undefined): void {
    this.#reason = reason;
    if (reason !== undefined) return;
    for (const goOn of this.#waiting) goOn();
    this.#waiting.clear();
  }

  /** Resolves once agents may act, or the signal aborts. */
  async over(signal: AbortSignal): Promise<void> {
    while (this.#reason !== undefined && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const goOn = () => {
          signal.removeEventListener('abort', goOn);
          this.#waiting.delete(goOn);
          resolve();
        };
        this.#waiting.add(goOn);
        signal.addEventListener('abort', goOn);
      });
    }
  }
}

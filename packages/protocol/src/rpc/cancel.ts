/** The part of an AbortSignal this package needs, so that it runs without DOM or Node types. */
export interface CancelSignal {
  readonly aborted: boolean;
  /** Calls the listener once, at once when already aborted. The returned function takes the listener off again. */
  onAbort(listener: () => void): () => void;
}

export interface CancelSource {
  readonly signal: CancelSignal;
  abort(): void;
}

export function createCancelSource(): CancelSource {
  const listeners = new Set<() => void>();
  let aborted = false;
  return {
    signal: {
      get aborted() {
        return aborted;
      },
      onAbort(listener) {
        if (aborted) listener();
        else listeners.add(listener);
        return () => {
          listeners.delete(listener);
        };
      },
    },
    abort() {
      aborted = true;
      const called = [...listeners];
      listeners.clear();
      for (const listener of called) listener();
    },
  };
}

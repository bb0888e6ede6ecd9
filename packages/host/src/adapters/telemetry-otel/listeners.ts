import type { TelemetryBatch, TelemetrySignal } from '../../ports/telemetry.js';

type Listener = (batch: TelemetryBatch) => void;

/** The listeners to each signal. */
export class Listeners {
  readonly #bySignal: Readonly<Record<TelemetrySignal, Set<Listener>>> = {
    logs: new Set(),
    traces: new Set(),
    metrics: new Set(),
  };

  get size(): number {
    const { logs, traces, metrics } = this.#bySignal;
    return logs.size + traces.size + metrics.size;
  }

  has(signal: TelemetrySignal): boolean {
    return this.#bySignal[signal].size > 0;
  }

  add(signal: TelemetrySignal, listener: Listener): () => void {
    this.#bySignal[signal].add(listener);
    return () => this.#bySignal[signal].delete(listener);
  }

  emit(signal: TelemetrySignal, batch: TelemetryBatch): void {
    for (const listener of [...this.#bySignal[signal]]) listener(batch);
  }
}

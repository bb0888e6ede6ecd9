import type { Log } from '../../ports/log.js';
import {
  NO_TELEMETRY,
  type Telemetry,
  type TelemetryBatch,
  type TelemetrySignal,
  type TelemetrySource,
  type TelemetrySpan,
} from '../../ports/telemetry.js';
import type { Engine } from './engine.js';
import { type TelemetryEnvironment, telemetryEnvironment } from './environment.js';
import { BATCH_MS, METRICS_MS } from './limits.js';

export interface OtelTelemetryOptions {
  /** The host's version. */
  readonly version: string;
  /** Where it writes what happens; default: nowhere. */
  readonly log?: Log;
  /** How often logs and traces are sent. */
  readonly batchMs?: number;
  /** How often metrics are sent. */
  readonly metricsMs?: number;
}

/**
 * Telemetry with OpenTelemetry. Its code is loaded once someone listens or the environment names an endpoint; nothing is
 * recorded before. Undefined if the environment turns telemetry off.
 */
export function otelTelemetry(options: OtelTelemetryOptions): (Telemetry & TelemetrySource) | undefined {
  const environment = telemetryEnvironment();
  return environment.isDisabled ? undefined : new OtelTelemetry(options, environment);
}

class OtelTelemetry implements Telemetry, TelemetrySource {
  readonly #options: OtelTelemetryOptions;
  readonly #environment: TelemetryEnvironment;
  readonly #listeners = new Listeners();
  readonly #observed = new Map<string, () => number>();
  #loading: Promise<void> | undefined;
  #engine: Engine | undefined;
  #isClosed = false;
  /** A plain member: it is asked for with every commit. */
  isOn = false;

  constructor(options: OtelTelemetryOptions, environment: TelemetryEnvironment) {
    this.#options = options;
    this.#environment = environment;
    if (environment.exported.size > 0) this.#load();
  }

  startSpan(...args: Parameters<Telemetry['startSpan']>): TelemetrySpan {
    return this.#active?.startSpan(...args) ?? NO_TELEMETRY.startSpan('');
  }

  count(...args: Parameters<Telemetry['count']>): void {
    this.#active?.count(...args);
  }

  measure(...args: Parameters<Telemetry['measure']>): void {
    this.#active?.measure(...args);
  }

  observe(name: string, read: () => number): void {
    this.#observed.set(name, read);
    this.#engine?.observe(name, read);
  }

  log(...args: Parameters<Telemetry['log']>): void {
    this.#active?.log(...args);
  }

  listen(signal: TelemetrySignal, listener: (batch: TelemetryBatch) => void): () => void {
    this.#load();
    const remove = this.#listeners.add(signal, listener);
    this.#changed();
    return () => {
      remove();
      this.#changed();
    };
  }

  async ready(): Promise<void> {
    await this.#loading;
  }

  async close(): Promise<boolean> {
    this.#isClosed = true;
    await this.#loading;
    const engine = this.#engine;
    this.#engine = undefined;
    this.#changed();
    return (await engine?.close()) ?? true;
  }

  get #active(): Engine | undefined {
    return this.isOn ? this.#engine : undefined;
  }

  #changed(): void {
    this.isOn = this.#engine !== undefined && (this.#environment.exported.size > 0 || this.#listeners.size > 0);
  }

  #load(): void {
    this.#loading ??= this.#start().catch((error: unknown) => {
      this.#options.log?.write('warn', 'telemetry.start-failed', 'starting telemetry failed', {
        error: describe(error),
      });
    });
  }

  async #start(): Promise<void> {
    const { Engine } = await import('./engine.js');
    if (this.#isClosed) return;
    const { version, batchMs = BATCH_MS, metricsMs = METRICS_MS } = this.#options;
    const [environment, listeners] = [this.#environment, this.#listeners];
    const engine = new Engine({ version, batchMs, metricsMs, environment, listeners });
    for (const [name, read] of this.#observed) engine.observe(name, read);
    this.#engine = engine;
    this.#changed();
  }
}

/** OpenTelemetry is an optional peer: whoever embeds a host without telemetry need not install it. */
function describe(error: unknown): string {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
  return isMissing ? `${String(error)}. Install the @opentelemetry peer dependencies of @moorage/host.` : String(error);
}

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

import type { LogLevel } from './log.js';

/** Attributes of a record: names, ids and numbers, never text that users wrote. Undefined values are left out. */
export type TelemetryAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Receives what the host reports of its own work. Callers must pass no prompt, file content or secret: only names that the
 * host knows, ids and numbers. No call throws, and while telemetry is off each must cost next to nothing.
 */
export interface Telemetry {
  /** Whether anything is recorded. Callers may skip expensive reports while it is false. */
  readonly isOn: boolean;
  /** Starts measuring a piece of work, optionally as part of another; the caller must `end` it. */
  startSpan(name: string, attributes?: TelemetryAttributes, parent?: TelemetrySpan): TelemetrySpan;
  /** Adds to a counter. */
  count(name: string, amount: number, attributes?: TelemetryAttributes): void;
  /** Records one value of a distribution. Durations are in seconds. */
  measure(name: string, value: number, attributes?: TelemetryAttributes): void;
  /** Registers a gauge: `read` is called whenever metrics are collected. */
  observe(name: string, read: () => number): void;
  /** Records a line of the log. */
  log(level: LogLevel, message: string, attributes?: TelemetryAttributes): void;
}

/** Work that has begun and not ended. */
export interface TelemetrySpan {
  /** `error` is a short name for what went wrong, not a message; it becomes the span's status and its attribute `error.type`. */
  end(outcome?: { readonly error?: string | undefined; readonly attributes?: TelemetryAttributes }): void;
}

/** The signals of OpenTelemetry. */
export type TelemetrySignal = 'logs' | 'traces' | 'metrics';

/** Delivers recorded telemetry in batches. */
export interface TelemetrySource {
  /**
   * Delivers batches of a signal from now on, and returns a function that stops it, which may be called more than once.
   * Telemetry is on while there is a listener.
   */
  listen(signal: TelemetrySignal, listener: (batch: TelemetryBatch) => void): () => void;
  /** Resolves when telemetry is on for the listeners there are. Turning on takes a moment, in which nothing is recorded. */
  ready(): Promise<void>;
  /** Delivers and exports what is left, and nothing after that. May be called more than once. Resolves with false when an export was given up and may still be running. */
  close(): Promise<boolean>;
}

/** Recorded telemetry of one signal. */
export interface TelemetryBatch {
  /**
   * The batch as an OTLP/JSON `Export…ServiceRequest`. For logs only records with an OpenTelemetry severity number of at
   * least `minSeverity`; undefined when there are none.
   */
  json(minSeverity?: number): string | undefined;
}

const NO_SPAN: TelemetrySpan = { end: () => {} };

/** Records nothing. */
export const NO_TELEMETRY: Telemetry = {
  isOn: false,
  startSpan: () => NO_SPAN,
  count: () => {},
  measure: () => {},
  observe: () => {},
  log: () => {},
};

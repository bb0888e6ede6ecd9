import type { LogLevel } from './log.js';

/** What is told along: names and numbers, never texts of users. */
export type TelemetryAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * What the host tells of its own work. Nothing of it may be a prompt, the content of a file or a secret: names of things
 * the host knows, ids and numbers only. While nobody listens it costs next to nothing.
 */
export interface Telemetry {
  /** Somebody listens; what takes effort to tell need not be told otherwise. */
  readonly isOn: boolean;
  startSpan(name: string, attributes?: TelemetryAttributes, parent?: TelemetrySpan): TelemetrySpan;
  /** Adds to a counter. */
  count(name: string, amount: number, attributes?: TelemetryAttributes): void;
  /** One value of a distribution; durations are in seconds. */
  measure(name: string, value: number, attributes?: TelemetryAttributes): void;
  /** A number that is read whenever the numbers are sent. */
  observe(name: string, read: () => number): void;
  log(level: LogLevel, message: string, attributes?: TelemetryAttributes): void;
}

/** Work that has begun. */
export interface TelemetrySpan {
  /** `error` names what went wrong, as a word rather than a message. */
  end(outcome?: { readonly error?: string | undefined; readonly attributes?: TelemetryAttributes }): void;
}

/** The three streams of OpenTelemetry. */
export type TelemetrySignal = 'logs' | 'traces' | 'metrics';

/** Where batches of telemetry can be had. */
export interface TelemetrySource {
  /** Batches of a signal from now on; gives back how to stop. The first listener turns telemetry on. */
  listen(signal: TelemetrySignal, listener: (batch: TelemetryBatch) => void): () => void;
  /** Resolves when all that follows is told to whoever wants it by now: turning on takes a moment, and what happens in it is not told. */
  ready(): Promise<void>;
  /** Sends what is left to where it is exported. False: it was given up in time, but something may still be trying. */
  close(): Promise<boolean>;
}

/** Some telemetry that is ready to be sent. */
export interface TelemetryBatch {
  /** The OTLP/JSON `Export…ServiceRequest`; of logs only records of this severity and above, undefined if there are none. */
  json(minSeverity?: number): string | undefined;
}

const NO_SPAN: TelemetrySpan = { end: () => {} };

/** For a host that tells nobody. */
export const NO_TELEMETRY: Telemetry = {
  isOn: false,
  startSpan: () => NO_SPAN,
  count: () => {},
  measure: () => {},
  observe: () => {},
  log: () => {},
};

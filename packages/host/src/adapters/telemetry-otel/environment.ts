import type { TelemetrySignal } from '../../ports/telemetry.js';

/** The settings in OpenTelemetry's standard environment variables. */
export interface TelemetryEnvironment {
  readonly isDisabled: boolean;
  /** The signals to send to an OTLP endpoint. */
  readonly exported: ReadonlySet<TelemetrySignal>;
  /** Milliseconds between two exports of metrics, if set. */
  readonly metricIntervalMs: number | undefined;
}

/**
 * Always reads the environment of the process, because the exporters themselves read their endpoints, headers and
 * certificates there.
 */
export function telemetryEnvironment(): TelemetryEnvironment {
  const { env } = process;
  const interval = Number(env.OTEL_METRIC_EXPORT_INTERVAL);
  return {
    isDisabled: env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true',
    exported: new Set(SIGNALS.filter((signal) => isExported(signal, env))),
    metricIntervalMs: interval > 0 ? interval : undefined,
  };
}

const SIGNALS = ['traces', 'metrics', 'logs'] as const;

function isExported(signal: TelemetrySignal, env: NodeJS.ProcessEnv): boolean {
  const name = signal.toUpperCase();
  const endpoint = env[`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`] || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  return Boolean(endpoint?.trim()) && env[`OTEL_${name}_EXPORTER`]?.trim() !== 'none';
}

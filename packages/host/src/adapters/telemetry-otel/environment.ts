import type { TelemetrySignal } from '../../ports/telemetry.js';

/** What the usual variables of OpenTelemetry ask of the host. */
export interface TelemetryEnvironment {
  readonly isDisabled: boolean;
  /** The signals that are sent to an OTLP endpoint. */
  readonly exported: ReadonlySet<TelemetrySignal>;
  /** Milliseconds between two exports of metrics, where it is said. */
  readonly metricIntervalMs: number | undefined;
}

/**
 * Of this process: nobody can hand in another environment, because the exporters look there themselves for where to send, and with
 * which headers and certificates.
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

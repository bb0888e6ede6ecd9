import type { TelemetrySignal } from '../../ports/telemetry.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Which signals the usual variables ask to be sent to an OTLP endpoint. */
export function exportedSignals(environment: Environment): ReadonlySet<TelemetrySignal> {
  const signals = ['traces', 'metrics', 'logs'] as const;
  return new Set(
    signals.filter((signal) => {
      const name = signal.toUpperCase();
      const endpoint = environment[`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`] || environment.OTEL_EXPORTER_OTLP_ENDPOINT;
      return Boolean(endpoint?.trim()) && environment[`OTEL_${name}_EXPORTER`]?.trim() !== 'none';
    }),
  );
}

export function isDisabled(environment: Environment): boolean {
  return environment.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true';
}

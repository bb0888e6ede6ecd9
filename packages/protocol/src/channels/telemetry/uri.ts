/** OTLP severity bands by name: a subscriber gets records of its band and above (B-317). */
export const telemetryLevels = { trace: 1, debug: 5, info: 9, warn: 13, error: 17, fatal: 21 } as const;
/** A severity that log subscribers may ask for. */
export type TelemetryLevel = keyof typeof telemetryLevels;

/** The URI templates (RFC 6570) of the telemetry channels that moorage offers. */
export const telemetryTemplates = {
  logs: 'ahp-otlp:/logs{/level}',
  traces: 'ahp-otlp:/traces',
  metrics: 'ahp-otlp:/metrics',
} as const;

/** What one telemetry channel carries. */
export type TelemetrySelector =
  | { readonly signal: 'traces' | 'metrics' }
  | { readonly signal: 'logs'; readonly level: TelemetryLevel };

/** What a telemetry URI of ours selects, or undefined for another URI or an unknown level (OQ-100). */
export function parseTelemetryUri(uri: string): TelemetrySelector | undefined {
  if (uri === telemetryTemplates.traces) return { signal: 'traces' };
  if (uri === telemetryTemplates.metrics) return { signal: 'metrics' };
  const match = /^ahp-otlp:\/logs(?:\/([A-Za-z]+))?$/.exec(uri);
  if (!match) return undefined;
  const level = match[1]?.toLowerCase() ?? 'trace';
  return isLevel(level) ? { signal: 'logs', level } : undefined;
}

/** Whether a URI has the scheme of telemetry channels, ours or another host's. */
export function isTelemetryUri(uri: string): boolean {
  return uri.startsWith('ahp-otlp:');
}

function isLevel(text: string): text is TelemetryLevel {
  return Object.hasOwn(telemetryLevels, text);
}

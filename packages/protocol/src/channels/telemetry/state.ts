import { object, optional } from '../../common/schema.js';
import { type URI, URISchema } from '../../common/uri.js';

/** Where to subscribe for a host's telemetry. */
export interface TelemetryCapabilities {
  /** The channel of logs. */
  logs?: URI | undefined;
  /** The channel of traces. */
  traces?: URI | undefined;
  /** The channel of metrics. */
  metrics?: URI | undefined;
}

export const TelemetryCapabilitiesSchema = object<TelemetryCapabilities>('TelemetryCapabilities', {
  logs: optional(URISchema),
  traces: optional(URISchema),
  metrics: optional(URISchema),
});

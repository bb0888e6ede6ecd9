import type { Static } from 'typebox';
import { named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';

export const TelemetryCapabilitiesSchema = named(
  'TelemetryCapabilities',
  Type.Object({
    logs: optional(URISchema),
    traces: optional(URISchema),
    metrics: optional(URISchema),
  }),
);
/** Where to subscribe for a host's telemetry. */
export type TelemetryCapabilities = Static<typeof TelemetryCapabilitiesSchema>;

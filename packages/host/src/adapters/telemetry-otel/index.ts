export { type OtelTelemetryOptions, otelTelemetry } from './telemetry.js';

import { freeForm, object } from '../../common/schema.js';
import { type URI, URISchema } from '../../common/uri.js';

export interface OtlpExportLogsParams {
  /** The channel that it is about. */
  channel: URI;
  /** The export as OpenTelemetry's JSON has it. */
  payload: Record<string, unknown>;
}

export const OtlpExportLogsParamsSchema = object<OtlpExportLogsParams>('OtlpExportLogsParams', {
  channel: URISchema,
  payload: freeForm(),
});

export interface OtlpExportTracesParams {
  /** The channel that it is about. */
  channel: URI;
  /** The export as OpenTelemetry's JSON has it. */
  payload: Record<string, unknown>;
}

export const OtlpExportTracesParamsSchema = object<OtlpExportTracesParams>('OtlpExportTracesParams', {
  channel: URISchema,
  payload: freeForm(),
});

export interface OtlpExportMetricsParams {
  /** The channel that it is about. */
  channel: URI;
  /** The export as OpenTelemetry's JSON has it. */
  payload: Record<string, unknown>;
}

export const OtlpExportMetricsParamsSchema = object<OtlpExportMetricsParams>('OtlpExportMetricsParams', {
  channel: URISchema,
  payload: freeForm(),
});

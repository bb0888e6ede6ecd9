import type { Static } from 'typebox';
import { freeForm, named } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';

export const OtlpExportLogsParamsSchema = named(
  'OtlpExportLogsParams',
  Type.Object({
    channel: URISchema,
    payload: freeForm(),
  }),
);
export type OtlpExportLogsParams = Static<typeof OtlpExportLogsParamsSchema>;

export const OtlpExportTracesParamsSchema = named(
  'OtlpExportTracesParams',
  Type.Object({
    channel: URISchema,
    payload: freeForm(),
  }),
);
export type OtlpExportTracesParams = Static<typeof OtlpExportTracesParamsSchema>;

export const OtlpExportMetricsParamsSchema = named(
  'OtlpExportMetricsParams',
  Type.Object({
    channel: URISchema,
    payload: freeForm(),
  }),
);
export type OtlpExportMetricsParams = Static<typeof OtlpExportMetricsParamsSchema>;

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

export interface OtlpSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly KeyValue[];
}

type Attributes = Record<string, unknown>;

/** OTLP/JSON as the specification has it, read for tests. */
export function spansIn(payload: object): OtlpSpan[] {
  const { resourceSpans } = payload as { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] };
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

export function logRecordsIn(payload: object): { severityNumber: number; body: unknown; attributes: Attributes }[] {
  type Record = { severityNumber: number; body: { stringValue: string }; attributes: KeyValue[] };
  const { resourceLogs } = payload as { resourceLogs: { scopeLogs: { logRecords: Record[] }[] }[] };
  const records = resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords));
  return records.map((record) => ({
    severityNumber: record.severityNumber,
    body: record.body.stringValue,
    attributes: attributesOf(record),
  }));
}

/** By name; of histograms the sum. */
export function metricsIn(payload: object): Map<string, { value: number; attributes: Attributes }[]> {
  type Point = { attributes: KeyValue[]; asInt?: number | string; asDouble?: number; sum?: number };
  type Metric = { name: string } & Record<'sum' | 'gauge' | 'histogram', { dataPoints: Point[] } | undefined>;
  const { resourceMetrics = [] } = payload as { resourceMetrics?: { scopeMetrics: { metrics: Metric[] }[] }[] };
  const metrics = resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  return new Map(
    metrics.map((metric) => {
      const { dataPoints = [] } = metric.sum ?? metric.gauge ?? metric.histogram ?? {};
      const points = dataPoints.map((point) => ({
        value: Number(point.asDouble ?? point.asInt ?? point.sum),
        attributes: attributesOf(point),
      }));
      return [metric.name, points] as const;
    }),
  );
}

export function attributesOf(holder: object | undefined): Attributes {
  const { attributes = [] } = (holder ?? {}) as { attributes?: readonly KeyValue[] };
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

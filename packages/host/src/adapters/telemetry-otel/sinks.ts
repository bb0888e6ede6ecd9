import { JsonLogsSerializer, JsonMetricsSerializer, JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { LogRecordExporter, ReadableLogRecord } from '@opentelemetry/sdk-logs';
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { TelemetryBatch } from '../../ports/telemetry.js';
import type { Listeners } from './telemetry.js';

const DONE = { code: 0 } as const;
const NOTHING = async () => {};

/** Passes spans to the listeners as the JSON text of an OTLP request. */
export function spanSink(listeners: Listeners): SpanExporter {
  return {
    export(spans, done) {
      if (listeners.has('traces')) {
        listeners.emit(
          'traces',
          lazyBatch(() => JsonTraceSerializer.serializeRequest(spans)),
        );
      }
      done(DONE);
    },
    forceFlush: NOTHING,
    shutdown: NOTHING,
  };
}

export function metricSink(listeners: Listeners): PushMetricExporter {
  return {
    export(metrics, done) {
      const isEmpty = metrics.scopeMetrics.every((scope) => scope.metrics.length === 0);
      if (!isEmpty && listeners.has('metrics')) {
        listeners.emit(
          'metrics',
          lazyBatch(() => JsonMetricsSerializer.serializeRequest(metrics)),
        );
      }
      done(DONE);
    },
    forceFlush: NOTHING,
    shutdown: NOTHING,
  };
}

export function logSink(listeners: Listeners): LogRecordExporter {
  return {
    export(records, done) {
      if (listeners.has('logs')) listeners.emit('logs', new LogBatch(records));
      done(DONE);
    },
    forceFlush: NOTHING,
    shutdown: NOTHING,
  };
}

/** Serializes at most once, for all listeners. */
function lazyBatch(serialize: () => Uint8Array | undefined): TelemetryBatch {
  let text: string | undefined;
  return {
    json() {
      text ??= decodedText(serialize());
      return text;
    },
  };
}

/** Serializes at most once for each requested severity. */
class LogBatch implements TelemetryBatch {
  readonly #records: readonly ReadableLogRecord[];
  readonly #texts = new Map<number, string | undefined>();

  constructor(records: readonly ReadableLogRecord[]) {
    this.#records = records;
  }

  json(minSeverity = 1): string | undefined {
    if (this.#texts.has(minSeverity)) return this.#texts.get(minSeverity);
    const wanted = this.#records.filter(({ severityNumber = 0 }) => severityNumber >= minSeverity);
    const text = wanted.length === 0 ? undefined : decodedText(JsonLogsSerializer.serializeRequest(wanted));
    this.#texts.set(minSeverity, text);
    return text;
  }
}

function decodedText(bytes: Uint8Array | undefined): string | undefined {
  return bytes && new TextDecoder().decode(bytes);
}

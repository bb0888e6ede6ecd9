import {
  type Context,
  type Counter,
  type Histogram,
  type Meter,
  ROOT_CONTEXT,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { LogLevel } from '../../ports/log.js';
import type { TelemetryAttributes, TelemetrySpan } from '../../ports/telemetry.js';
import type { TelemetryEnvironment } from './environment.js';
import { CLOSE_MS, MAX_ATTRIBUTE_CHARS, MAX_BATCH, MAX_QUEUED } from './limits.js';
import { logSink, metricSink, spanSink } from './sinks.js';
import type { Listeners } from './telemetry.js';

export interface EngineOptions {
  readonly version: string;
  readonly batchMs: number;
  readonly metricsMs: number;
  readonly environment: TelemetryEnvironment;
  readonly listeners: Listeners;
}

/** Sends telemetry to the listeners, and to the OTLP endpoints that the environment names. */
export class Engine {
  readonly #traces: BasicTracerProvider;
  readonly #metrics: MeterProvider;
  readonly #logs: LoggerProvider;
  readonly #tracer: Tracer;
  readonly #meter: Meter;
  readonly #logger: ReturnType<LoggerProvider['getLogger']>;
  readonly #counters = new Map<string, Counter>();
  readonly #histograms = new Map<string, Histogram>();

  constructor({ version, batchMs, metricsMs, environment, listeners }: EngineOptions) {
    const { exported, metricIntervalMs } = environment;
    const resource = resourceFromAttributes({ 'service.name': 'moorage', 'service.version': version }).merge(
      detectResources({ detectors: [envDetector] }), // OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES
    );
    const queue = { scheduledDelayMillis: batchMs, maxQueueSize: MAX_QUEUED, maxExportBatchSize: MAX_BATCH };
    this.#traces = new BasicTracerProvider({
      resource,
      spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_CHARS },
      spanProcessors: [
        new BatchSpanProcessor(spanSink(listeners), queue),
        ...(exported.has('traces') ? [new BatchSpanProcessor(new OTLPTraceExporter(), queue)] : []),
      ],
    });
    this.#metrics = new MeterProvider({
      resource,
      readers: [
        new PeriodicExportingMetricReader({
          exporter: metricSink(listeners),
          exportIntervalMillis: metricsMs,
          exportTimeoutMillis: metricsMs,
        }),
        ...(exported.has('metrics')
          ? [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter(), ...every(metricIntervalMs) })]
          : []),
      ],
    });
    this.#logs = new LoggerProvider({
      resource,
      logRecordLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_CHARS },
      processors: [
        new BatchLogRecordProcessor({ exporter: logSink(listeners), ...queue }),
        ...(exported.has('logs') ? [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter(), ...queue })] : []),
      ],
    });
    this.#tracer = this.#traces.getTracer('moorage', version);
    this.#meter = this.#metrics.getMeter('moorage', version);
    this.#logger = this.#logs.getLogger('moorage', version);
  }

  startSpan(name: string, attributes: TelemetryAttributes = {}, parent?: TelemetrySpan): TelemetrySpan {
    const within = parent instanceof EngineSpan ? parent.context : ROOT_CONTEXT;
    const span = this.#tracer.startSpan(name, { attributes }, within);
    return new EngineSpan(trace.setSpan(within, span));
  }

  count(name: string, amount: number, attributes: TelemetryAttributes = {}): void {
    const counter = this.#counters.get(name) ?? this.#meter.createCounter(name);
    this.#counters.set(name, counter);
    counter.add(amount, attributes);
  }

  measure(name: string, value: number, attributes: TelemetryAttributes = {}): void {
    const histogram = this.#histograms.get(name) ?? this.#meter.createHistogram(name, SECONDS);
    this.#histograms.set(name, histogram);
    histogram.record(value, attributes);
  }

  observe(name: string, read: () => number): void {
    this.#meter.createObservableGauge(name).addCallback((result) => result.observe(read()));
  }

  log(level: LogLevel, body: string, attributes: TelemetryAttributes = {}): void {
    const severityNumber = SEVERITY[level];
    this.#logger.emit({
      severityNumber,
      severityText: level.toUpperCase(),
      body,
      attributes: withoutUndefined(attributes),
    });
  }

  /** Returns whether everything ended in time: an exporter without an answer would retry for too long. */
  async close(): Promise<boolean> {
    const ends = [this.#traces, this.#metrics, this.#logs].map((provider) => provider.shutdown());
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), CLOSE_MS);
    });
    const isDone = await Promise.race([Promise.allSettled(ends).then(() => true), late]);
    clearTimeout(timer);
    return isDone;
  }
}

class EngineSpan implements TelemetrySpan {
  readonly context: Context;

  constructor(context: Context) {
    this.context = context;
  }

  end({ error, attributes }: Parameters<TelemetrySpan['end']>[0] = {}): void {
    const span = trace.getSpan(this.context);
    if (attributes) span?.setAttributes(attributes);
    if (error !== undefined) span?.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  }
}

const SEVERITY: Readonly<Record<LogLevel, number>> = { debug: 5, info: 9, warn: 13, error: 17 };

/** Buckets from a fast commit to a long turn. */
const SECONDS = {
  unit: 's',
  advice: {
    explicitBucketBoundaries: [
      0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800,
    ],
  },
};

/** OpenTelemetry rejects a timeout that is longer than the interval. */
function every(intervalMs: number | undefined): { exportIntervalMillis?: number; exportTimeoutMillis?: number } {
  if (intervalMs === undefined) return {};
  return { exportIntervalMillis: intervalMs, exportTimeoutMillis: Math.min(intervalMs, 30_000) };
}

function withoutUndefined(attributes: TelemetryAttributes): Record<string, string | number | boolean> {
  const entries = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  return Object.fromEntries(entries);
}

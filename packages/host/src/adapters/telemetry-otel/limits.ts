/** Milliseconds between two batches of spans and log records: short enough to watch live, long enough to batch. */
export const BATCH_MS = 1_000;

/** Milliseconds between two batches of metrics for subscribers. For exports, OTEL_METRIC_EXPORT_INTERVAL applies. */
export const METRICS_MS = 5_000;

/** Spans or records that wait for the next batch. More are dropped. */
export const MAX_QUEUED = 2_048;

/** Spans or records in one batch, which is one message to a subscriber. */
export const MAX_BATCH = 256;

/** UTF-16 units of one attribute value. */
export const MAX_ATTRIBUTE_CHARS = 512;

/** Milliseconds that the host waits for the last export when it stops. */
export const CLOSE_MS = 2_000;

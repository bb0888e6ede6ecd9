/** Milliseconds between two batches of spans and log records: soon enough to watch, seldom enough to batch. */
export const BATCH_MS = 1_000;

/** Milliseconds between two batches of metrics for subscribers; where they are exported to, OTEL_METRIC_EXPORT_INTERVAL says. */
export const METRICS_MS = 5_000;

/** Spans or records that wait for the next batch; what comes on top is dropped. */
export const MAX_QUEUED = 2_048;

/** Spans or records of one batch, which is one message to a subscriber. */
export const MAX_BATCH = 256;

/** UTF-16 units of one attribute. */
export const MAX_ATTRIBUTE_CHARS = 512;

/** Milliseconds that the end of the host waits for the last export. */
export const CLOSE_MS = 2_000;

import {
  AhpErrorCodes,
  parseTelemetryUri,
  RpcError,
  telemetryLevels,
  telemetryTemplates,
  type URI,
} from '@moorage/protocol';
import { Delivery, type OutgoingMessage, type Subscriptions } from '../../core/delivery.js';
import { invalidParams } from '../../core/errors.js';
import type { Telemetry, TelemetryBatch, TelemetrySource } from '../../ports/telemetry.js';

const METHODS = { logs: 'otlp/exportLogs', traces: 'otlp/exportTraces', metrics: 'otlp/exportMetrics' } as const;

/** The channels on which clients receive the host's telemetry: no state, no replay, only new batches (B-316). */
export class TelemetryChannels {
  readonly capabilities = telemetryTemplates;
  readonly #telemetry: Telemetry & TelemetrySource;
  readonly #subscriptions: Pick<Subscriptions, 'of'>;
  readonly #stops = new Map<URI, () => void>();

  constructor(telemetry: Telemetry & TelemetrySource, subscriptions: Pick<Subscriptions, 'of'>) {
    this.#telemetry = telemetry;
    this.#subscriptions = subscriptions;
  }

  /** Throws when the host offers no such telemetry channel (OQ-100). */
  assertOffered(uri: URI): void {
    if (parseTelemetryUri(uri)) return;
    if (/^ahp-otlp:\/logs\//.test(uri)) {
      throw invalidParams(`params/channel: expected one of the levels ${Object.keys(telemetryLevels).join(', ')}`);
    }
    throw new RpcError(AhpErrorCodes.NotFound, 'this host does not offer this telemetry channel');
  }

  onUsed(uri: URI): void {
    const selector = parseTelemetryUri(uri);
    if (!selector) return;
    const minSeverity = selector.signal === 'logs' ? telemetryLevels[selector.level] : undefined;
    const stop = this.#telemetry.listen(selector.signal, (batch) =>
      this.#send(uri, METHODS[selector.signal], batch, minSeverity),
    );
    this.#stops.set(uri, stop);
  }

  onUnused(uri: URI): void {
    this.#stops.get(uri)?.();
    this.#stops.delete(uri);
  }

  /** A client that does not keep up loses whole batches: telemetry must never fill the host's memory. */
  #send(uri: URI, method: string, batch: TelemetryBatch, minSeverity: number | undefined): void {
    const everyone = [...this.#subscriptions.of(uri)];
    const ready = everyone.filter(({ isBehind }) => !isBehind);
    const dropped = everyone.length - ready.length;
    if (dropped > 0) this.#telemetry.count('ahp.telemetry.dropped_batches', dropped, { 'ahp.method': method });
    const payload = ready.length === 0 ? undefined : batch.json(minSeverity);
    if (payload === undefined) return;
    const delivery = new Delivery([message(uri, method, payload)]);
    for (const subscriber of ready) subscriber.deliver(delivery);
  }
}

/** The payload is embedded as text, and parsed again only for a client of another protocol version. */
function message(channel: URI, method: string, payload: string): OutgoingMessage {
  const head = JSON.stringify({ jsonrpc: '2.0', method, params: { channel } }).slice(0, -2);
  return {
    frame: `${head},"payload":${payload}}}`,
    get notice() {
      return { method, params: { channel, payload: JSON.parse(payload) as unknown } };
    },
  };
}

import type { Store } from '../../ports/store.js';
import type { Telemetry } from '../../ports/telemetry.js';

/** A store that reports the duration of its commits. */
export function timedStore(store: Store, telemetry: Telemetry): Store {
  return {
    get header() {
      return store.header;
    },
    channels: store.channels,
    sessions: store.sessions,
    documents: store.documents,
    close: () => store.close(),
    commit(batch) {
      if (!telemetry.isOn) {
        store.commit(batch);
        return;
      }
      const span = telemetry.startSpan('store commit', { 'ahp.store.channels': batch.log?.length ?? 0 });
      const started = performance.now();
      let error: string | undefined;
      try {
        store.commit(batch);
      } catch (cause) {
        error = cause instanceof Error ? cause.name : 'error';
        throw cause;
      } finally {
        span.end({ error });
        telemetry.measure('ahp.store.commit.duration', (performance.now() - started) / 1000);
      }
    },
  };
}

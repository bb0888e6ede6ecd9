import type { TimedCommits } from '../../core/flushing.js';
import type { Store } from '../../ports/store.js';
import type { Telemetry } from '../../ports/telemetry.js';

/** Reports how long each commit took. */
export function timedCommits(store: Store, telemetry: Telemetry): TimedCommits {
  return {
    telemetry,
    commit(batch) {
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

import { type AsyncSubscription, type Event, subscribe } from '@parcel/watcher';
import type { PathChange, Watching, WatchListener } from '../../ports/watcher.js';

/** Watches a folder and all below it where the system itself does that: not on Linux. */
export async function watchDeep(
  folder: string,
  listener: WatchListener,
  except: readonly string[] = [],
): Promise<Watching> {
  let active = true;
  const told = (error: Error | null, events: readonly Event[] | undefined) => {
    if (!active) return;
    if (error) listener.missed();
    if (events && events.length > 0) listener.changed(events.map(toChange));
    if (!events?.some(({ type, path }) => type === 'delete' && path === folder)) return;
    stop();
    listener.ended();
  };
  const subscription: AsyncSubscription = await subscribe(folder, told, { ignore: [...except] });
  const stop = () => {
    if (!active) return;
    active = false;
    subscription.unsubscribe().catch(() => undefined); // the folder may be gone, and with it what there was to stop
  };
  return { stop };
}

function toChange({ path, type }: Event): PathChange {
  return { path, type: TYPES[type] };
}

const TYPES = { create: 'added', update: 'updated', delete: 'deleted' } as const;

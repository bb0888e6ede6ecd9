import { type AsyncSubscription, type Event, subscribe } from '@parcel/watcher';
import type { PathChange, Watching, WatchListener } from '../../ports/watcher.js';

/** Watches a folder and everything below it on systems that support that themselves: not on Linux. */
export async function watchDeep(
  folder: string,
  listener: WatchListener,
  except: readonly string[] = [],
): Promise<Watching> {
  let active = true;
  const onEvents = (error: Error | null, events: readonly Event[] | undefined) => {
    if (!active) return;
    if (error) listener.missed();
    if (events && events.length > 0) listener.changed(events.map(toChange));
    if (!events?.some(({ type, path }) => type === 'delete' && path === folder)) return;
    stop();
    listener.ended();
  };
  const subscription: AsyncSubscription = await subscribe(folder, onEvents, { ignore: [...except] });
  const stop = () => {
    if (!active) return;
    active = false;
    subscription.unsubscribe().catch(() => undefined); // fails if the folder is gone
  };
  return { stop };
}

function toChange({ path, type }: Event): PathChange {
  return { path, type: TYPES[type] };
}

const TYPES = { create: 'added', update: 'updated', delete: 'deleted' } as const;

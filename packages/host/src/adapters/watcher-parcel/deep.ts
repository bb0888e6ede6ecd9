import { type AsyncSubscription, type Event, subscribe } from '@parcel/watcher';
import type { PathChange, Watching, WatchListener } from '../../ports/watcher.js';

export async function watchDeep(folder: string, listener: WatchListener): Promise<Watching> {
  let active = true;
  const subscription: AsyncSubscription = await subscribe(folder, (error, events) => {
    if (!active) return;
    if (error) listener.missed();
    if (events && events.length > 0) listener.changed(events.map(toChange));
    if (!events?.some(({ type, path }) => type === 'delete' && path === folder)) return;
    stop();
    listener.ended();
  });
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

import { useEffect, useRef, useSyncExternalStore } from 'react';
import { type ChannelView, useChannel } from '../connection/use-channel.js';
import { outputLength } from './follow.js';

/** Characters of output after which the page subscribes again: a host keeps only the end of the output, a mirror all of it. */
const RENEW_AFTER_CHARS = 4 * 1024 * 1024;

/** Terminals that the whole page has unsubscribed from, to get a new snapshot of them. */
const released = new Set<string>();
const listeners = new Set<() => void>();

/** Subscribes to a terminal, and keeps memory bounded however much it prints. */
export function useTerminal(uri: string): ChannelView<'terminal'> {
  const isReleased = useSyncExternalStore(subscribe, () => released.has(uri));
  const view = useChannel('terminal', isReleased ? undefined : uri);
  const { mirror, state } = view;
  const start = useRef<{ readonly mirror: typeof mirror; readonly length: number }>(undefined);
  const length = state ? outputLength(state) : 0;
  if (mirror && start.current?.mirror !== mirror) start.current = { mirror, length };
  const isLong = mirror?.status === 'live' && length - (start.current?.length ?? 0) > RENEW_AFTER_CHARS;
  useEffect(() => {
    if (isLong) renew(uri);
  }, [isLong, uri]);
  // Shows the old state until the new one has arrived.
  const shown = useRef(view);
  if (state || view.error) shown.current = view;
  return shown.current;
}

function renew(uri: string): void {
  if (released.has(uri)) return;
  released.add(uri);
  notify();
  // After all components have unsubscribed.
  setTimeout(() => {
    released.delete(uri);
    notify();
  });
}

function notify(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

import { useEffect, useRef, useSyncExternalStore } from 'react';
import { type ChannelView, useChannel } from '../connection/use-channel.js';
import { outputLength } from './follow.js';

/** Characters of output after which a terminal is asked for anew: a host keeps the last ones of it, a mirror keeps all. */
const RENEW_AFTER_CHARS = 4 * 1024 * 1024;

/** Terminals that the page has let go of, all of it, to get a new snapshot of them. */
const letGo = new Set<string>();
const listeners = new Set<() => void>();

/** Watches a terminal, however much it prints. */
export function useTerminal(uri: string): ChannelView<'terminal'> {
  const isLetGo = useSyncExternalStore(subscribe, () => letGo.has(uri));
  const view = useChannel('terminal', isLetGo ? undefined : uri);
  const { mirror, state } = view;
  const start = useRef<{ readonly mirror: typeof mirror; readonly length: number }>(undefined);
  const length = state ? outputLength(state) : 0;
  if (mirror && start.current?.mirror !== mirror) start.current = { mirror, length };
  const isLong = mirror?.status === 'live' && length - (start.current?.length ?? 0) > RENEW_AFTER_CHARS;
  useEffect(() => {
    if (isLong) renew(uri);
  }, [isLong, uri]);
  // Until the new one is there, the old one is what there is to see.
  const shown = useRef(view);
  if (state || view.error) shown.current = view;
  return shown.current;
}

function renew(uri: string): void {
  if (letGo.has(uri)) return;
  letGo.add(uri);
  tell();
  // When all who show it have given it back.
  setTimeout(() => {
    letGo.delete(uri);
    tell();
  });
}

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

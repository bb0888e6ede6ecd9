import type { Mirror } from '@ahpd/client';
import type { ChannelKind, ChannelStates } from '@ahpd/protocol';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { sentenceOf } from '../ui/sentence.js';
import { useClient } from './context.js';

export interface ChannelView<K extends ChannelKind> {
  readonly mirror: Mirror<K> | undefined;
  /** What to show: the mirror's optimistic state. Undefined until the first snapshot is there. */
  readonly state: ChannelStates[K] | undefined;
  readonly error: string | undefined;
}

/** Watches a channel for as long as somebody shows it. */
export function useChannel<K extends ChannelKind>(kind: K, uri: string | undefined): ChannelView<K> {
  const client = useClient();
  const [held, setHeld] = useState<{ uri: string; mirror?: Mirror<K>; error?: string }>();
  useEffect(() => {
    if (uri === undefined) return;
    let mirror: Mirror<K> | undefined;
    let ended = false;
    client.subscribe(uri, { kind }).then(
      (got) => {
        if (ended) return got.release();
        mirror = got;
        setHeld({ uri, mirror: got });
      },
      (error) => !ended && setHeld({ uri, error: sentenceOf(error) }),
    );
    return () => {
      ended = true;
      if (mirror) releaseWhenSent(mirror);
    };
  }, [client, kind, uri]);
  const current = held?.uri === uri ? held : undefined;
  const mirror = current?.mirror;
  const subscribe = useCallback((changed: () => void) => mirror?.subscribe(changed) ?? (() => {}), [mirror]);
  const state = useSyncExternalStore(subscribe, () => mirror?.optimistic);
  return { mirror, state, error: current?.error };
}

/** What was done here and the host has not heard of yet would be lost with the mirror. */
function releaseWhenSent<K extends ChannelKind>(mirror: Mirror<K>): void {
  const look = () => {
    if (mirror.pendingCount === 0) mirror.release();
  };
  mirror.subscribe(look);
  look();
}

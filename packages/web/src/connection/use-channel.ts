import { type Client, type Mirror, RequestError } from '@ahpd/client';
import type { ChannelKind, ChannelStates } from '@ahpd/protocol';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { sentenceOf } from '../ui/sentence.js';
import { useClient } from './context.js';

export interface ChannelView<K extends ChannelKind> {
  readonly mirror: Mirror<K> | undefined;
  /** What to show: the mirror's optimistic state. Undefined until the first snapshot is there. */
  readonly state: ChannelStates[K] | undefined;
  readonly error: string | undefined;
  /** Asks once more for what could not be had. */
  readonly retry: () => void;
}

/** Watches a channel for as long as somebody shows it. */
export function useChannel<K extends ChannelKind>(kind: K, uri: string | undefined): ChannelView<K> {
  const client = useClient();
  const [held, setHeld] = useState<{ uri: string; mirror?: Mirror<K>; error?: string }>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    if (uri === undefined) return;
    let mirror: Mirror<K> | undefined;
    let ended = false;
    let stopWaiting: (() => void) | undefined;
    const ask = () =>
      client.subscribe(uri, { kind }).then(
        (got) => {
          if (ended) return got.release();
          mirror = got;
          setHeld({ uri, mirror: got });
        },
        (error) => {
          if (ended) return;
          if (wasCutOff(client, error)) stopWaiting = whenLive(client, ask);
          else setHeld({ uri, error: sentenceOf(error) });
        },
      );
    void ask();
    return () => {
      ended = true;
      stopWaiting?.();
      if (mirror) releaseWhenSent(mirror);
    };
  }, [client, kind, uri, attempt]);
  const retry = useCallback(() => {
    setHeld(undefined);
    setAttempt((count) => count + 1);
  }, []);
  const current = held?.uri === uri ? held : undefined;
  const mirror = current?.mirror;
  const subscribe = useCallback((changed: () => void) => mirror?.subscribe(changed) ?? (() => {}), [mirror]);
  const state = useSyncExternalStore(subscribe, () => mirror?.optimistic);
  return { mirror, state, error: current?.error, retry };
}

/** Whether it was the connection that failed and not the host that refused. */
function wasCutOff({ status }: Client, error: unknown): boolean {
  if (!(error instanceof RequestError) || status === 'closed') return false;
  return error.kind === 'lost' || (error.kind === 'timeout' && status !== 'live');
}

/** Calls it once, when there is a connection. */
function whenLive(client: Client, call: () => void): () => void {
  if (client.status === 'live') {
    call();
    return () => {};
  }
  const stop = client.onStatus((status) => {
    if (status !== 'live') return;
    stop();
    call();
  });
  return stop;
}

/** What was done here and the host has not heard of yet would be lost with the mirror. */
function releaseWhenSent<K extends ChannelKind>(mirror: Mirror<K>): void {
  const look = () => {
    if (mirror.pendingCount === 0) mirror.release();
  };
  mirror.subscribe(look);
  look();
}

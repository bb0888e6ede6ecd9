import { type Client, type Mirror, RequestError } from '@moorage/client';
import type { ChannelKind, ChannelStates } from '@moorage/protocol';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { sentenceOf } from '../ui/sentence.js';
import { useClient } from './context.js';

export interface ChannelView<K extends ChannelKind> {
  readonly mirror: Mirror<K> | undefined;
  /** The mirror's optimistic state. Undefined until the first snapshot has arrived. */
  readonly state: ChannelStates[K] | undefined;
  readonly error: string | undefined;
  /** Subscribes again after an error. */
  readonly retry: () => void;
}

/** Of a chat, its newest turns are enough at first: more than are rendered, so that the first step back is at once. */
const CHAT_VIEW = { turns: 60 };

/** Subscribes to a channel while the component is mounted. */
export function useChannel<K extends ChannelKind>(kind: K, uri: string | undefined): ChannelView<K> {
  const client = useClient();
  const [held, setHeld] = useState<{ uri: string; mirror?: Mirror<K>; error?: string }>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt subscribes again
  useEffect(() => {
    if (uri === undefined) return;
    let mirror: Mirror<K> | undefined;
    let ended = false;
    let stopWaiting: (() => void) | undefined;
    const ask = () =>
      client.subscribe(uri, { kind, view: kind === 'chat' ? CHAT_VIEW : undefined }).then(
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

/** Whether the connection failed, rather than the host refusing. */
function wasCutOff({ status }: Client, error: unknown): boolean {
  if (!(error instanceof RequestError) || status === 'closed') return false;
  return error.kind === 'lost' || (error.kind === 'timeout' && status !== 'live');
}

/** Calls a function once, as soon as there is a connection. */
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

/** Waits until the host has received all actions of the mirror, since they would be lost with it. */
function releaseWhenSent<K extends ChannelKind>(mirror: Mirror<K>): void {
  const check = () => {
    if (mirror.pendingCount === 0) mirror.release();
  };
  mirror.subscribe(check);
  check();
}

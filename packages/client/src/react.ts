import type { ChannelKind, ChannelStates, SessionSummary } from '@moorage/protocol';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Mirror, MirrorStatus } from './channels/mirror.js';
import type { ChatMirror } from './chat/chat-mirror.js';
import { type PendingRequest, pendingRequests } from './chat/pending-requests.js';
import type { Client } from './client.js';
import type { ConnectionStatus } from './connection/machine.js';
import { RequestError } from './errors.js';
import type { SessionList } from './sessions/session-list.js';

/** Something that is opened when a component appears, and given back when it disappears. */
export interface Opened<T> {
  /** Undefined until it is open. */
  readonly value: T | undefined;
  /** Why it could not be opened. A lost connection is no reason: it is opened once there is one again. */
  readonly error: unknown;
  /** Opens it again after an error. */
  readonly retry: () => void;
}

/** The status of the connection. */
export function useConnectionStatus(client: Client): ConnectionStatus {
  const subscribe = useCallback((listener: () => void) => client.onStatus(listener), [client]);
  return useSyncExternalStore(subscribe, () => client.status);
}

/**
 * A mirror for as long as the component is there; none while the client or the URI is undefined. It is released once the host
 * has received every action that was dispatched to it. Of a chat, `turns` is how many of its newest turns to begin with.
 */
export function useMirror<K extends ChannelKind>(
  client: Client | undefined,
  uri: string | undefined,
  kind: K,
  { turns }: { readonly turns?: number | undefined } = {},
): Opened<Mirror<K>> {
  const open = useMemo(() => {
    const view = turns === undefined ? undefined : { turns };
    return client && uri && (() => client.subscribe(uri, { kind, view }));
  }, [client, uri, kind, turns]);
  return useOpened(client, open || undefined, releaseWhenSent);
}

/** As `useMirror`, with the verbs of a chat. */
export function useChat(client: Client | undefined, uri: string | undefined): Opened<ChatMirror> {
  const open = useMemo(() => client && uri && (() => client.chat(uri)), [client, uri]);
  return useOpened(client, open || undefined, releaseWhenSent);
}

/** The state to show: with this client's pending actions on top of what the host has confirmed. */
export function useChannelState<K extends ChannelKind>(mirror: Mirror<K> | undefined): ChannelStates[K] | undefined {
  return useSyncExternalStore(mirror?.subscribe ?? never, () => mirror?.optimistic);
}

/** Whether the state is live, stale or of a channel that is gone. */
export function useMirrorStatus(mirror: Mirror<ChannelKind> | undefined): MirrorStatus | undefined {
  return useSyncExternalStore(mirror?.subscribe ?? never, () => mirror?.status);
}

/** What the agent of a chat waits for. */
export function usePendingRequests(chat: Mirror<'chat'> | undefined): readonly PendingRequest[] {
  const state = useChannelState(chat);
  return useMemo(() => (state ? pendingRequests(state) : []), [state]);
}

/** The host's sessions, newest first, and the list to load more of them with. */
export function useSessions(
  client: Client | undefined,
  pageSize?: number,
): { readonly sessions: readonly SessionSummary[] | undefined; readonly list: SessionList | undefined } {
  const open = useMemo(() => client && (() => client.sessions({ pageSize })), [client, pageSize]);
  const { value: list } = useOpened(client, open, release);
  const sessions = useSyncExternalStore(list?.subscribe ?? never, () => list?.items);
  return { sessions, list };
}

/** Opens again when `open` is another function. What comes too late is given back at once. */
function useOpened<T extends { release(): void }>(
  client: Client | undefined,
  open: (() => Promise<T>) | undefined,
  giveBack: (value: T) => void,
): Opened<T> {
  const [opened, setOpened] = useState<Attempt<T>>(NOTHING);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens again
  useEffect(() => {
    if (!client || !open) return;
    let isWanted = true;
    let value: T | undefined;
    let stopWaiting: (() => void) | undefined;
    const ask = () =>
      open().then(
        (result) => {
          if (!isWanted) return result.release();
          value = result;
          setOpened({ value, error: undefined, by: open });
        },
        (error: unknown) => {
          if (!isWanted) return;
          if (wasCutOff(client, error)) stopWaiting = whenLive(client, ask);
          else setOpened({ value: undefined, error, by: open });
        },
      );
    void ask();
    return () => {
      isWanted = false;
      stopWaiting?.();
      if (value) giveBack(value);
    };
  }, [client, open, giveBack, attempt]);
  const retry = useCallback(() => {
    setOpened(NOTHING);
    setAttempt((count) => count + 1);
  }, []);
  const { value, error } = open !== undefined && opened.by === open ? opened : NOTHING;
  return { value, error, retry };
}

interface Attempt<T> {
  readonly value: T | undefined;
  readonly error: unknown;
  /** The function that opened it. */
  readonly by: unknown;
}

const NOTHING: Attempt<never> = { value: undefined, error: undefined, by: undefined };

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

interface Releasable {
  readonly pendingCount: number;
  readonly subscribe: (listener: () => void) => () => void;
  release(): void;
}

/** Waits until the host has received all actions of the mirror, since they would be lost with it. */
function releaseWhenSent(mirror: Releasable): void {
  const check = () => {
    if (mirror.pendingCount === 0) mirror.release();
  };
  mirror.subscribe(check);
  check();
}

function release(value: { release(): void }): void {
  value.release();
}

function never(): () => void {
  return () => {};
}

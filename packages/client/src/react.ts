import type { ChannelKind, ChannelStates, SessionSummary } from '@moorage/protocol';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Mirror, MirrorStatus } from './channels/mirror.js';
import type { ChatMirror } from './chat/chat-mirror.js';
import { type PendingRequest, pendingRequests } from './chat/pending-requests.js';
import type { Client } from './client.js';
import type { ConnectionStatus } from './connection/machine.js';
import type { SessionList } from './sessions/session-list.js';

/** Something that is opened when a component appears, and given back when it disappears. */
export interface Opened<T> {
  /** Undefined until it is open. */
  readonly value: T | undefined;
  /** Why it could not be opened. */
  readonly error: unknown;
}

/** The status of the connection. */
export function useConnectionStatus(client: Client): ConnectionStatus {
  const subscribe = useCallback((listener: () => void) => client.onStatus(listener), [client]);
  return useSyncExternalStore(subscribe, () => client.status);
}

/** A mirror for as long as the component is there; none while the client or the URI is undefined. */
export function useMirror<K extends ChannelKind>(
  client: Client | undefined,
  uri: string | undefined,
  kind: K,
): Opened<Mirror<K>> {
  const open = useMemo(() => client && uri && (() => client.subscribe(uri, { kind })), [client, uri, kind]);
  return useOpened(open || undefined);
}

/** As `useMirror`, with the verbs of a chat. */
export function useChat(client: Client | undefined, uri: string | undefined): Opened<ChatMirror> {
  const open = useMemo(() => client && uri && (() => client.chat(uri)), [client, uri]);
  return useOpened(open || undefined);
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
  const { value: list } = useOpened(open);
  const sessions = useSyncExternalStore(list?.subscribe ?? never, () => list?.items);
  return { sessions, list };
}

/** Opens again when `open` is another function. What comes too late is given back at once. */
function useOpened<T extends { release(): void }>(open: (() => Promise<T>) | undefined): Opened<T> {
  const [opened, setOpened] = useState<Opened<T> & { readonly by: unknown }>(NOTHING);
  useEffect(() => {
    if (!open) return;
    let isWanted = true;
    let value: T | undefined;
    open().then(
      (result) => {
        if (!isWanted) return result.release();
        value = result;
        setOpened({ value, error: undefined, by: open });
      },
      (error: unknown) => {
        if (isWanted) setOpened({ value: undefined, error, by: open });
      },
    );
    return () => {
      isWanted = false;
      value?.release();
    };
  }, [open]);
  return open !== undefined && opened.by === open ? opened : NOTHING;
}

const NOTHING = { value: undefined, error: undefined, by: undefined };

function never(): () => void {
  return () => {};
}

import type { Client, ConnectionStatus } from '@moorage/client';
import { useCallback, useSyncExternalStore } from 'react';

export function useStatus(client: Client): ConnectionStatus {
  const subscribe = useCallback((changed: () => void) => client.onStatus(changed), [client]);
  return useSyncExternalStore(subscribe, () => client.status);
}

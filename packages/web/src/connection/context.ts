import type { Client } from '@moorage/client';
import { createContext, useContext } from 'react';

export const ClientContext = createContext<Client | undefined>(undefined);

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (!client) throw new Error('useClient needs a ClientContext');
  return client;
}

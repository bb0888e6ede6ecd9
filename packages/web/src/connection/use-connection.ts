import { useEffect, useState } from 'react';
import { type Connection, keepConnecting } from './keep-connecting.js';

/** The connection to the host that serves this page, with this token. */
export function useConnection(token: string | undefined): Connection {
  const [connection, setConnection] = useState<Connection>({ state: 'connecting' });
  useEffect(() => {
    if (token === undefined) return;
    setConnection({ state: 'connecting' });
    return keepConnecting({ url: '/', token }, setConnection);
  }, [token]);
  return connection;
}

import { useEffect, useState } from 'react';
import { takeClientId } from './client-id.js';
import { type Connection, keepConnecting } from './keep-connecting.js';
import { ownAddress } from './own-address.js';

/** The token of a sign-in. Each sign-in is a new object, so that the same token is tried again. */
export interface Credential {
  readonly token: string;
}

/** The connection to the host that serves this page. */
export function useConnection(credential: Credential | undefined): Connection {
  const [held, setHeld] = useState<{ credential: Credential; connection: Connection }>();
  useEffect(() => {
    if (!credential) return;
    const { token } = credential;
    return keepConnecting({ url: ownAddress(), token, clientId: takeClientId() }, (connection) =>
      setHeld({ credential, connection }),
    );
  }, [credential]);
  return held && held.credential === credential ? held.connection : CONNECTING;
}

const CONNECTING: Connection = { state: 'connecting' };

import { type Client, connect } from '@ahpd/client';
import { useEffect, useState } from 'react';
import { hostAnswers } from './probe.js';

export type Connection =
  | { readonly state: 'connecting' }
  | { readonly state: 'unreachable' }
  | { readonly state: 'refused' }
  | { readonly state: 'connected'; readonly client: Client };

/** How long to wait before trying a host again that was not there. */
const RETRY_MS = 1_500;
/** The longest pause between attempts to come back: a person is looking. */
const MAX_RECONNECT_DELAY_MS = 4_000;

/** Connects with this token, and keeps trying while there is no host. */
export function useConnection(token: string | undefined): Connection {
  const [connection, setConnection] = useState<Connection>({ state: 'connecting' });
  useEffect(() => {
    if (token === undefined) return;
    let ended = false;
    let client: Client | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const attempt = async () => {
      try {
        const made = await connect({
          url: '/',
          token,
          reconnect: { maxDelayMs: MAX_RECONNECT_DELAY_MS },
          onError: (error) => reportError(error),
        });
        if (ended) return made.close();
        client = made;
        setConnection({ state: 'connected', client: made });
      } catch {
        const answers = await hostAnswers();
        if (ended) return;
        setConnection({ state: answers ? 'refused' : 'unreachable' });
        if (!answers) timer = setTimeout(attempt, RETRY_MS);
      }
    };
    setConnection({ state: 'connecting' });
    void attempt();
    return () => {
      ended = true;
      clearTimeout(timer);
      client?.close();
    };
  }, [token]);
  return connection;
}

function reportError(error: unknown): void {
  globalThis.reportError?.(error);
}

import { useConnectionStatus } from '@moorage/client/react';
import { useEffect, useState } from 'react';
import { useClient } from './context.js';
import { hostAnswers } from './probe.js';

interface Props {
  /** The name of the host, if it is not the one that serves the page. */
  readonly host?: string;
  readonly onSignOut: () => void;
}

/** A restarting host answers before it accepts clients, so only a host that keeps refusing means a wrong token. */
const PROBE_MS = 5_000;

/** Shown while there is no connection. The page stays readable, and typed text is kept. */
export function ConnectionBar({ host, onSignOut }: Props) {
  const status = useConnectionStatus(useClient());
  const [refused, setRefused] = useState(false);
  useEffect(() => {
    setRefused(false);
    // Of another host, the page can see that it answers, but not whether it is ready. So nothing follows from that.
    if (status === 'live' || host !== undefined) return;
    const timer = setInterval(async () => setRefused(await hostAnswers()), PROBE_MS);
    return () => clearInterval(timer);
  }, [status, host]);
  if (status === 'live') return null;
  const connection = host === undefined ? 'The connection' : `The connection to ${host}`;
  return (
    <div className="connection-bar" role="alert">
      {status === 'closed' ? `${connection} has ended.` : `${connection} dropped. Reconnecting…`}{' '}
      {refused || status === 'closed' ? (
        <button type="button" className="link" onClick={onSignOut}>
          {host === undefined ? 'The host answers but does not accept this token. Sign in again' : 'Show the hosts'}
        </button>
      ) : (
        <span>What you see is the last known state, and what you type is kept.</span>
      )}
    </div>
  );
}

import { useEffect, useState } from 'react';
import { useClient } from './context.js';
import { hostAnswers } from './probe.js';
import { useStatus } from './use-status.js';

interface Props {
  /** The name of the host, where it is not the one that serves the page. */
  readonly host?: string;
  readonly onSignOut: () => void;
}

/** A host that restarts answers before it takes clients; only when it keeps refusing the token is wrong. */
const PROBE_MS = 5_000;

/** A thin line while there is no connection. What is on the page stays readable, what was typed stays typed. */
export function ConnectionBar({ host, onSignOut }: Props) {
  const status = useStatus(useClient());
  const [refused, setRefused] = useState(false);
  useEffect(() => {
    setRefused(false);
    // Of another host only that it answers can be seen, not whether it is ready; then nothing follows from that.
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
          {host === undefined ? 'The host is there but does not take this token. Sign in again' : 'Look at the hosts'}
        </button>
      ) : (
        <span>What you see is the last known state, and what you type is kept.</span>
      )}
    </div>
  );
}

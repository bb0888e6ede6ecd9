import { useEffect, useState } from 'react';
import { useClient } from './context.js';
import { hostAnswers } from './probe.js';
import { useStatus } from './use-status.js';

/** A host that restarts answers before it takes clients; only when it keeps refusing the token is wrong. */
const PROBE_MS = 5_000;

/** A thin line while there is no connection. What is on the page stays readable, what was typed stays typed. */
export function ConnectionBar({ onSignOut }: { readonly onSignOut: () => void }) {
  const status = useStatus(useClient());
  const [refused, setRefused] = useState(false);
  useEffect(() => {
    setRefused(false);
    if (status === 'live') return;
    const timer = setInterval(async () => setRefused(await hostAnswers()), PROBE_MS);
    return () => clearInterval(timer);
  }, [status]);
  if (status === 'live') return null;
  return (
    <div className="connection-bar" role="alert">
      {status === 'closed' ? 'The connection has ended.' : 'The connection dropped. Reconnecting…'}{' '}
      {refused || status === 'closed' ? (
        <button type="button" className="link" onClick={onSignOut}>
          The host is there but does not take this token. Sign in again
        </button>
      ) : (
        <span>What you see is the last known state, and what you type is kept.</span>
      )}
    </div>
  );
}

import type { ReactNode } from 'react';
import { ConnectionBar } from './ConnectionBar.js';
import { ClientContext } from './context.js';
import { hostSentence } from './host-state.js';
import type { RemoteHost } from './remote-hosts.js';

interface Props {
  /** Undefined if the URL names a host that was not added to this page. */
  readonly host: RemoteHost | undefined;
  readonly onHosts: () => void;
  readonly children: ReactNode;
}

/** Connects its children to another host than the one that serves the page. */
export function HostLocation({ host, onHosts, children }: Props) {
  if (host?.connection.state === 'connected')
    return (
      <ClientContext value={host.connection.client}>
        <ConnectionBar host={host.entry.name} onSignOut={onHosts} />
        {children}
      </ClientContext>
    );
  return (
    <main className="gate">
      <h1>{host ? host.entry.name : 'This host was not added to this page'}</h1>
      <p>{host ? hostSentence(host, location.origin) : 'It may have been removed, or added in another browser.'}</p>
      <button type="button" className="button" onClick={onHosts}>
        Hosts
      </button>
    </main>
  );
}

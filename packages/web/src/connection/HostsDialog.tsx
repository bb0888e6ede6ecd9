import { useState } from 'react';
import { Dialog } from '../ui/Dialog.js';
import { ErrorBoundary } from '../ui/ErrorBoundary.js';
import { InlineQuestion } from '../ui/InlineQuestion.js';
import { AddHost } from './AddHost.js';
import { hostMood, hostSentence } from './host-state.js';
import type { RemoteHost, RemoteHosts } from './remote-hosts.js';

interface Props {
  readonly hosts: RemoteHosts;
  readonly shown: readonly RemoteHost[];
  readonly onClose: () => void;
}

/** Lists the hosts of this page with their state, and adds and removes hosts. */
export function HostsDialog({ hosts, shown, onClose }: Props) {
  return (
    <Dialog title="Hosts" className="hosts-dialog" onClose={onClose}>
      <ul className="host-rows" aria-label="Hosts of this page">
        <li className="host-row">
          <span className="host-name">{location.host}</span>
          <p className="quiet">This page is served from here.</p>
        </li>
        {shown.map((host) => (
          <HostRow key={host.entry.id} host={host} onRemove={() => hosts.remove(host.entry.id)} />
        ))}
      </ul>
      <AddHost known={shown.map(({ entry }) => entry)} onAdd={(entry) => hosts.add(entry)} />
    </Dialog>
  );
}

function HostRow({ host, onRemove }: { readonly host: RemoteHost; readonly onRemove: () => void }) {
  const [asking, setAsking] = useState(false);
  const { name, id } = host.entry;
  return (
    <li className="host-row">
      <span className="host-name">
        <span className="dot" data-mood={hostMood(host)} />
        <bdi>{name}</bdi>
        {!id.endsWith(`//${name}`) && <span className="quiet">{id}</span>}
      </span>
      <ErrorBoundary of={host}>
        <p className="quiet">{hostSentence(host, location.origin)}</p>
      </ErrorBoundary>
      {asking ? (
        <InlineQuestion label={`Remove ${name}`} action="Remove" onYes={onRemove} onNo={() => setAsking(false)}>
          This browser forgets its address and token. Its sessions stay where they are.
        </InlineQuestion>
      ) : (
        <button type="button" className="link" aria-label={`Remove ${name}`} onClick={() => setAsking(true)}>
          Remove
        </button>
      )}
    </li>
  );
}

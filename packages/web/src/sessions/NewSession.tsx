import { useState } from 'react';
import { ClientContext, useClient } from '../connection/context.js';
import { isLive } from '../connection/host-state.js';
import type { RemoteHost } from '../connection/remote-hosts.js';
import type { ListedSession, SessionHost } from '../connection/session-board.js';
import { Dialog } from '../ui/Dialog.js';
import { NewSessionForm } from './NewSessionForm.js';

interface Props {
  readonly sessions: readonly ListedSession[];
  readonly hosts: readonly RemoteHost[];
  /** The host of the open session. */
  readonly host: string | undefined;
  readonly onClose: () => void;
  readonly onCreated: (uri: string, host: SessionHost | undefined) => void;
}

/** Chooses the host of a new session, and then its settings. */
export function NewSession({ sessions, hosts, host, onClose, onCreated }: Props) {
  const own = useClient();
  const [chosen, setChosen] = useState(host ?? '');
  const live = hosts.filter(isLive);
  const remote = live.find(({ entry }) => entry.id === chosen);
  const client = remote?.connection.state === 'connected' ? remote.connection.client : own;
  const id = remote?.entry.id;
  return (
    <Dialog title="New session" onClose={onClose}>
      {live.length > 0 && (
        <label className="field host-field">
          <span>Host</span>
          <select value={id ?? ''} onChange={(event) => setChosen(event.target.value)}>
            <option value="">{location.host} (this page)</option>
            {live.map(({ entry }) => (
              <option key={entry.id} value={entry.id}>
                {entry.name}
              </option>
            ))}
          </select>
        </label>
      )}
      <ClientContext value={client}>
        <NewSessionForm
          key={id}
          sessions={sessions.filter((session) => session.host?.id === id)}
          onClose={onClose}
          onCreated={(uri) => onCreated(uri, remote?.entry)}
        />
      </ClientContext>
    </Dialog>
  );
}

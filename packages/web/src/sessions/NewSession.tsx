import { useState } from 'react';
import { ClientContext, useClient } from '../connection/context.js';
import { isLive } from '../connection/host-state.js';
import type { RemoteHost } from '../connection/remote-hosts.js';
import { rightsOf } from '../connection/rights.js';
import type { ListedSession, SessionHost } from '../connection/session-board.js';
import { ChoiceChip } from './ChoiceChip.js';
import { Prompt } from './Prompt.js';

interface Props {
  readonly sessions: readonly ListedSession[];
  readonly hosts: readonly RemoteHost[];
  /** The host of the session that was open. */
  readonly host: string | undefined;
  readonly onCreated: (uri: string, host: SessionHost | undefined) => void;
}

/** Where the page begins: a message starts a session. Until then there is none. */
export function NewSession({ sessions, hosts, host, onCreated }: Props) {
  const own = useClient();
  const [chosen, setChosen] = useState(host ?? '');
  const live = hosts.filter((one) => isLive(one) && canBegin(one));
  const remote = live.find(({ entry }) => entry.id === chosen);
  const client = remote?.connection.state === 'connected' ? remote.connection.client : own;
  const id = remote?.entry.id;
  const lacking = rightsOf(client).lacks('steer');
  if (lacking)
    return (
      <main className="home">
        <h1>Choose a session</h1>
        <p className="quiet">You can look at the sessions in the list. {lacking.replace('This', 'Beginning one')}</p>
      </main>
    );
  return (
    <main className="home">
      <h1>What should the agent do?</h1>
      <ClientContext value={client}>
        <Prompt
          key={id}
          id={`new ${id ?? ''}`}
          sessions={sessions.filter((session) => session.host?.id === id)}
          onCreated={(uri) => onCreated(uri, remote?.entry)}
        >
          {live.length > 0 && (
            <ChoiceChip
              label="Host"
              icon="plug"
              value={id ?? ''}
              options={[
                { value: '', label: `${location.host} (this page)` },
                ...live.map(({ entry }) => ({ value: entry.id, label: entry.name })),
              ]}
              onChange={setChosen}
            />
          )}
        </Prompt>
      </ClientContext>
      <p className="quiet home-keys">
        <kbd>Ctrl</kbd> <kbd>K</kbd> finds sessions and actions · <kbd>Ctrl</kbd> <kbd>/</kbd> all keys
      </p>
    </main>
  );
}

function canBegin({ connection }: RemoteHost): boolean {
  return connection.state === 'connected' && rightsOf(connection.client).may('steer');
}

import type { FleetHost } from '@moorage/client';
import { ROOT_URI } from '@moorage/protocol';
import { useEffect, useState } from 'react';
import { useClient } from '../connection/context.js';
import { addressOfHost } from '../connection/own-address.js';
import { sentenceOf } from '../ui/sentence.js';

/** At the gateway of a fleet a session begins on the page of the host that is chosen here. */
export function ChooseHost() {
  const client = useClient();
  const [hosts, setHosts] = useState<readonly FleetHost[]>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    let ended = false;
    const ask = () =>
      client.request('moorage/listHosts', { channel: ROOT_URI }).then(
        ({ items }) => ended || setHosts(items.filter(({ state }) => state === 'here')),
        (why) => ended || setError(sentenceOf(why)),
      );
    void ask();
    const timer = setInterval(ask, REFRESH_MS);
    return () => {
      ended = true;
      clearInterval(timer);
    };
  }, [client]);
  return (
    <main className="home">
      <h1>On which host should it be?</h1>
      {hosts?.length === 0 && <p>No host of the fleet is there.</p>}
      {hosts === undefined && error !== undefined && <p role="alert">{error}</p>}
      <ul className="host-choice">
        {hosts?.map(({ id, name, labels }) => (
          <li key={id}>
            <a className="button" href={`${addressOfHost(id)}#pane=new`}>
              {name}
              {labels.length > 0 && <span className="quiet"> {labels.join(', ')}</span>}
            </a>
          </li>
        ))}
      </ul>
    </main>
  );
}

/** Milliseconds. Hosts come and go seldom. */
const REFRESH_MS = 5_000;

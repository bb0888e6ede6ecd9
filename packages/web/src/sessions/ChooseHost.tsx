import type { FleetHost } from '@moorage/client';
import { ROOT_URI } from '@moorage/protocol';
import { hostsThatFit } from '@moorage/protocol/internal';
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
  const shared = sharedLabels(hosts ?? []);
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
      {shared.length > 0 && (
        <>
          <h2>Or on the least busy of those with</h2>
          <ul className="host-choice">
            {shared.map(({ label, id }) => (
              <li key={label}>
                <a className="button" href={`${addressOfHost(id)}#pane=new`}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </main>
  );
}

/** Labels of several hosts, each with the host that is the least busy. */
function sharedLabels(hosts: readonly FleetHost[]): { readonly label: string; readonly id: string }[] {
  const labels = [...new Set(hosts.flatMap((host) => host.labels))].sort();
  return labels.flatMap((label) => {
    const fitting = hostsThatFit(hosts, [label]);
    return fitting[0] && fitting.length > 1 ? { label, id: fitting[0].id } : [];
  });
}

/** Milliseconds. Hosts come and go seldom. */
const REFRESH_MS = 5_000;

import type { SessionActiveClient, Watcher } from '@moorage/protocol';
import { useEffect, useState } from 'react';
import { useClient } from '../connection/context.js';
import { useRights } from '../connection/rights.js';
import { useVisible } from '../ui/use-visible.js';
import { visible } from '../ui/visible.js';

interface Props {
  readonly session: string;
  /** Clients that offer tools, by the names that they have in the session. */
  readonly activeClients: readonly SessionActiveClient[];
}

/** Milliseconds between two questions who is here, while the page is seen: a name may be that late. */
const REFRESH_MS = 30_000;
/** Names that are shown. The others are counted. */
const MAX_NAMES = 3;

/** Who else follows the session now. Clients of one's own count only if they offer tools. */
export function Watchers({ session, activeClients }: Props) {
  const client = useClient();
  const { name: own } = useRights();
  const watchers = useWatchers(session, activeClients);
  const clients = activeClients.filter(({ clientId }) => clientId !== client.clientId);
  const people = watchers.filter(({ clientId, name }) => clientId !== client.clientId && name !== own);
  const names = [
    ...new Set([
      ...people.map(({ name }) => name ?? 'the owner'),
      ...clients
        .filter(({ clientId }) => !people.some((person) => person.clientId === clientId))
        .map(({ displayName }) => displayName ?? 'another client'),
    ]),
  ].map(visible);
  if (names.length === 0) return null;
  const more = names.length - MAX_NAMES;
  return (
    <span className="quiet here" title={names.join(', ')}>
      with {names.slice(0, MAX_NAMES).join(', ')}
      {more > 0 && ` and ${more} more`}
    </span>
  );
}

function useWatchers(session: string, changed: unknown): readonly Watcher[] {
  const client = useClient();
  const isSeen = useVisible();
  const [watchers, setWatchers] = useState<readonly Watcher[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever joins or leaves with tools is news
  useEffect(() => {
    if (!isSeen) return;
    let isOver = false;
    const refresh = () =>
      client.request('moorage/listWatchers', { channel: session }).then(
        ({ items }) => isOver || setWatchers(items),
        () => {}, // other hosts do not know this, and it is not worth a message
      );
    void refresh();
    const timer = setInterval(refresh, REFRESH_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [client, session, isSeen, changed]);
  return watchers;
}

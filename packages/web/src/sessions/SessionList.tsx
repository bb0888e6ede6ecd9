import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { hostMood, isLive } from '../connection/host-state.js';
import type { RemoteHost } from '../connection/remote-hosts.js';
import { keyOf, type ListedSession } from '../connection/session-board.js';
import { ErrorBoundary } from '../ui/ErrorBoundary.js';
import { moveFocusToChat } from '../ui/focus.js';
import { Icon } from '../ui/Icon.js';
import { IconButton } from '../ui/IconButton.js';
import { useKeys } from '../ui/keys.js';
import { useNow } from '../ui/use-now.js';
import { NotificationSwitch } from './NotificationSwitch.js';
import { isArchived, ordered } from './order.js';
import { SessionRow } from './SessionRow.js';

interface Props {
  readonly sessions: readonly ListedSession[] | undefined;
  readonly hosts: readonly RemoteHost[];
  /** The key of the open session, see `keyOf`. */
  readonly selected: string | undefined;
  readonly onOpen: (session: ListedSession) => void;
  readonly onNew: () => void;
  readonly onHosts: () => void;
}

/** Rows shown at once. A search finds the others. */
const MAX_ROWS = 200;

export function SessionList({ sessions, hosts, selected, onOpen, onNew, onHosts }: Props) {
  const [query, setQuery] = useState('');
  const [archived, setArchived] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const now = useNow();
  useKeys({ 'alt+s': { label: 'Search sessions', group: 'Everywhere', run: () => search.current?.focus() } });
  const shown = ordered(sessions ?? [], query, archived);
  const at = shown.findIndex((session) => keyOf(session) === selected);
  // The open session is always in the list, and in view when it is opened.
  const rows = at < MAX_ROWS ? shown.slice(0, MAX_ROWS) : [...shown.slice(0, MAX_ROWS), ...shown.slice(at, at + 1)];
  const list = useRef<HTMLUListElement>(null);
  const isListed = at >= 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another session is open, or first listed
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [selected, isListed]);
  const archivedCount = (sessions ?? []).filter(isArchived).length;
  return (
    <nav className="sessions" aria-label="Sessions" onKeyDown={moveByArrows}>
      <div className="sessions-head">
        <label className="search">
          <Icon name="search" />
          <span className="visually-hidden">Search sessions</span>
          <input
            ref={search}
            type="search"
            placeholder="Search sessions"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing) return;
              const first = shown[0];
              if (event.key === 'Enter' && first) onOpen(first);
              // A dialog returns the focus by itself.
              if (event.key === 'Escape' && !event.currentTarget.closest('dialog')) moveFocusToChat();
            }}
          />
        </label>
        <IconButton icon="plus" label="New session" onClick={onNew} />
      </div>
      <ul className="session-rows" ref={list}>
        {rows.map((session) => (
          <ErrorBoundary key={keyOf(session)} of={session} fallback={<BrokenRow session={session} />}>
            <SessionRow session={session} selected={keyOf(session) === selected} now={now} onOpen={onOpen} />
          </ErrorBoundary>
        ))}
        {sessions && shown.length === 0 && <li className="empty">{emptyText(query, archived)}</li>}
        {shown.length > rows.length && (
          <li className="empty">{shown.length - rows.length} more: search to find them.</li>
        )}
      </ul>
      {(archivedCount > 0 || archived) && (
        <button type="button" className="sessions-foot" aria-pressed={archived} onClick={() => setArchived(!archived)}>
          <Icon name="archive" />
          {archived ? 'Back to sessions' : `Archived (${archivedCount})`}
        </button>
      )}
      <NotificationSwitch />
      <button type="button" className="sessions-foot hosts-foot" title="Hosts (Alt H)" onClick={onHosts}>
        {hosts.length === 0 && 'Add a host'}
        {hosts.map((host) => (
          <span key={host.entry.id} className="host-mark">
            <span className="dot" data-mood={hostMood(host)} />
            <bdi>{host.entry.name}</bdi>
            {!isLive(host) && (host.connection.state === 'connecting' ? '…' : ': not connected')}
          </span>
        ))}
      </button>
    </nav>
  );
}

function BrokenRow({ session }: { readonly session: ListedSession }) {
  const place = session.host ? ` of ${session.host.name}` : '';
  return <li className="empty">{`A session${place} could not be shown.`}</li>;
}

/** The arrow keys move between the search field and the rows. */
function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('.search input, .session-row')];
  const from = stops.indexOf(event.target as HTMLElement);
  if (step === 0 || from < 0) return;
  stops[from + step]?.focus();
  event.preventDefault();
}

function emptyText(query: string, archived: boolean): string {
  if (query) return 'No session matches.';
  return archived ? 'Nothing is archived.' : 'No sessions yet. Start one with +.';
}

import type { FoundConversation, PersonRole } from '@moorage/protocol';
import { type MouseEvent, useMemo, useRef, useState } from 'react';
import { hostMood, isLive } from '../connection/host-state.js';
import type { RemoteHost } from '../connection/remote-hosts.js';
import { useRights } from '../connection/rights.js';
import { keyOf, type ListedSession } from '../connection/session-board.js';
import { moveFocusToChat } from '../ui/focus.js';
import { Icon } from '../ui/Icon.js';
import { IconButton } from '../ui/IconButton.js';
import { useKeys } from '../ui/keys.js';
import { Menu } from '../ui/Menu.js';
import { useNow } from '../ui/use-now.js';
import { ChosenBar } from './ChosenBar.js';
import { useConversationGroup } from './conversation-search.js';
import { NotificationSwitch } from './NotificationSwitch.js';
import { isArchived, isUnread } from './order.js';
import { PushSwitch } from './PushSwitch.js';
import { SessionRows } from './SessionRows.js';
import type { SessionActions } from './session-actions.js';
import { ViewChoice } from './ViewChoice.js';
import { groupsOf, type SessionView } from './view.js';

interface Props {
  readonly sessions: readonly ListedSession[] | undefined;
  readonly hosts: readonly RemoteHost[];
  readonly view: SessionView;
  readonly onView: (view: SessionView) => void;
  readonly actions: SessionActions;
  /** The key of the open session, see `keyOf`. */
  readonly selected: string | undefined;
  /** Opens a session, at the turn in which something was said. */
  readonly onOpen: (session: ListedSession, at?: FoundConversation) => void;
  readonly onNew: () => void;
  readonly onHosts: () => void;
  /** Undefined if there is nobody to manage, or the person may not. */
  readonly onPeople: (() => void) | undefined;
  /** Undefined if the host has none. */
  readonly onAutomations: (() => void) | undefined;
  readonly onShare: (session: ListedSession) => void;
}

export function SessionList(props: Props) {
  const { sessions, hosts, view, onView, actions, selected, onOpen, onNew, onHosts } = props;
  const { onPeople, onAutomations, onShare } = props;
  const { may } = useRights();
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(NONE);
  const [asking, setAsking] = useState<readonly ListedSession[]>();
  const [menu, setMenu] = useState<{ session: ListedSession; at: { x: number; y: number } }>();
  const search = useRef<HTMLInputElement>(null);
  const now = useNow();
  useKeys({ 'alt+s': { label: 'Search sessions', group: 'Everywhere', run: () => search.current?.focus() } });
  const named = useMemo(() => groupsOf(sessions ?? [], view, query, now), [sessions, view, query, now]);
  const { groups, said } = useConversationGroup(named, sessions ?? [], view, query);
  const shown = useMemo(() => groups.flatMap((group) => group.sessions), [groups]);
  const chosenSessions = shown.filter((session) => chosen.has(keyOf(session)));

  const toggle = (session: ListedSession) =>
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(keyOf(session))) next.add(keyOf(session));
      return next;
    });
  /** The last row that was clicked or toggled: where a range begins. */
  const rangeFrom = useRef<string>(undefined);
  const onClick = (session: ListedSession, event: MouseEvent) => {
    const from = shown.findIndex((each) => keyOf(each) === (rangeFrom.current ?? selected));
    const to = shown.indexOf(session);
    if (event.shiftKey && from >= 0) {
      const range = shown.slice(Math.min(from, to), Math.max(from, to) + 1);
      return setChosen((before) => new Set([...before, ...range.map(keyOf)]));
    }
    rangeFrom.current = keyOf(session);
    if (event.ctrlKey || event.metaKey || chosen.size > 0) toggle(session);
    else onOpen(session, said.get(keyOf(session)));
  };
  /** The chosen sessions if this is one of them, else this one alone. */
  const meant = (session: ListedSession) => (chosen.has(keyOf(session)) ? chosenSessions : [session]);
  const act = (run: () => void) => {
    setChosen(NONE);
    run();
  };
  const archive = (these: readonly ListedSession[]) =>
    act(() => actions.archive(these, !these.every((session) => isArchived(session))));
  const markRead = (these: readonly ListedSession[]) => act(() => actions.markRead(these, these.every(isUnread)));
  const allowed = (role: PersonRole, these: readonly ListedSession[], run: (these: readonly ListedSession[]) => void) =>
    actions.may(these, role) && run(these);
  const rowKeys: Readonly<Record<string, (session: ListedSession) => void>> = {
    x: toggle,
    e: (session) => allowed('steer', meant(session), archive),
    u: (session) => allowed('review', meant(session), markRead),
    Delete: (session) => allowed('steer', meant(session), setAsking),
  };
  const menuItems = (session: ListedSession) => {
    const these = meant(session);
    const canSteer = actions.may(these, 'steer');
    return [
      ...(actions.may(these, 'review')
        ? [{ label: these.every(isUnread) ? 'Mark as read' : 'Mark as unread', hint: 'u', run: () => markRead(these) }]
        : []),
      ...(canSteer
        ? [{ label: these.every(isArchived) ? 'Unarchive' : 'Archive', hint: 'e', run: () => archive(these) }]
        : []),
      { label: chosen.has(keyOf(session)) ? 'Deselect' : 'Select', hint: 'x', run: () => toggle(session) },
      ...(canSteer && session.host === undefined ? [{ label: 'Share…', run: () => onShare(session) }] : []),
      ...(canSteer ? [{ label: 'Delete…', hint: 'Del', run: () => setAsking(these) }] : []),
    ];
  };
  return (
    <nav className="sessions" aria-label="Sessions">
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
              if (event.key === 'Enter' && first) onOpen(first, said.get(keyOf(first)));
              // A dialog returns the focus by itself.
              if (event.key === 'Escape' && !event.currentTarget.closest('dialog')) moveFocusToChat();
            }}
          />
        </label>
        {may('steer') && <IconButton icon="plus" label="New session" onClick={onNew} />}
      </div>
      <ViewChoice sessions={sessions ?? []} view={view} onView={onView} />
      <SessionRows
        groups={groups}
        said={said}
        query={query}
        selected={selected}
        chosen={chosen}
        now={now}
        search={search}
        empty={sessions ? emptyText(query, view, may('steer')) : ''}
        onClick={onClick}
        onMenu={(session, at) => setMenu({ session, at })}
        onKey={(key, session) => rowKeys[key]?.(session)}
      />
      {menu && (
        <Menu
          label={`Actions for ${menu.session.title || 'New session'}`}
          items={menuItems(menu.session)}
          at={menu.at}
          onClose={() => setMenu(undefined)}
        />
      )}
      <ChosenBar
        chosen={chosenSessions}
        asking={asking}
        onArchive={actions.may(chosenSessions, 'steer') ? () => archive(chosenSessions) : undefined}
        onRead={actions.may(chosenSessions, 'review') ? () => markRead(chosenSessions) : undefined}
        onAsk={actions.may(chosenSessions, 'steer') ? () => setAsking(chosenSessions) : undefined}
        onDelete={() => {
          if (asking) act(() => actions.remove(asking));
          setAsking(undefined);
        }}
        onCancel={() => {
          if (asking) setAsking(undefined);
          else setChosen(NONE);
        }}
      />
      <NotificationSwitch />
      <PushSwitch />
      {onAutomations && (
        <button type="button" className="sessions-foot" title="Automations (Alt A)" onClick={onAutomations}>
          <Icon name="clock" />
          Automations
        </button>
      )}
      {onPeople && (
        <button type="button" className="sessions-foot" title="People (Alt P)" onClick={onPeople}>
          <Icon name="people" />
          People
        </button>
      )}
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

const NONE: ReadonlySet<string> = new Set();

function emptyText(query: string, { filter }: SessionView, canBegin: boolean): string {
  if (query) return 'No session matches.';
  if (filter === 'all') return `No sessions yet.${canBegin ? ' Write a message to start one.' : ''}`;
  return filter === 'archived' ? 'Nothing is archived.' : 'No session is in this state.';
}

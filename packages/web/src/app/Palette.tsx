import { useEffect, useMemo, useRef, useState } from 'react';
import { keyOf, type ListedSession } from '../connection/session-board.js';
import { isArchived, isSameName, ordered, projectOf } from '../sessions/order.js';
import { Dialog } from '../ui/Dialog.js';
import { seenKeys } from '../ui/keys.js';
import { MOOD_LABELS, moodOf } from '../ui/mood.js';
import { notificationState, switchNotifications } from '../ui/notifications.js';
import { KeyName } from './Help.js';

interface Entry {
  readonly id: string;
  readonly label: string;
  readonly about: string;
  readonly key?: string;
  readonly run: () => void;
}

interface Props {
  readonly sessions: readonly ListedSession[];
  readonly onOpen: (session: ListedSession) => void;
  readonly onClose: () => void;
}

/** Rows shown at once. Typing finds the others. */
const MAX_SHOWN = 50;
/** Sessions shown before anything is typed: those that need the user first, then the newest. */
const FIRST_SESSIONS = 4;

/** Finds actions and sessions by name. */
export function Palette({ sessions, onOpen, onClose }: Props) {
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const actions = useMemo(() => actionEntries(), []);
  const found = sessionEntries(sessions, query, onOpen);
  const isNamed = ({ label }: Entry) => isSameName(label, query);
  const entries = query
    ? [
        ...found.filter(isNamed),
        ...actions.filter((entry) => matches(entry, query)),
        ...found.filter((entry) => !isNamed(entry)),
      ]
    : [...found.slice(0, FIRST_SESSIONS), ...actions];
  const shown = entries.slice(0, MAX_SHOWN);
  const activeRow = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever another row becomes active
  useEffect(() => {
    activeRow.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const run = (entry: Entry | undefined) => {
    onClose();
    // Once the palette has closed, so that it does not take the focus from where the action puts it.
    if (entry) setTimeout(entry.run);
  };
  return (
    <Dialog title="Palette" className="palette" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-entries"
        aria-activedescendant={shown[active] ? `palette-${active}` : undefined}
        aria-label="Find an action or a session"
        placeholder="Find an action or a session"
        autoFocus
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(0);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'ArrowDown') setActive(Math.min(active + 1, shown.length - 1));
          else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0));
          else if (event.key === 'Enter') run(shown[active]);
          else return;
          event.preventDefault();
        }}
      />
      <div id="palette-entries" role="listbox" aria-label="Results">
        {shown.map((entry, index) => (
          <div
            key={entry.id}
            id={`palette-${index}`}
            ref={index === active ? activeRow : undefined}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className="palette-row"
            onMouseDown={() => run(entry)}
          >
            <span className="palette-label">{entry.label}</span>
            <span className="quiet">{entry.about}</span>
            {entry.key && <KeyName name={entry.key} />}
          </div>
        ))}
        {shown.length === 0 && <p className="empty">Nothing matches.</p>}
      </div>
    </Dialog>
  );
}

function actionEntries(): Entry[] {
  const actions = seenKeys()
    .filter(([key]) => key !== 'mod+k')
    .map(([key, { label, group, run }], index) => ({
      id: `${index} ${key}`,
      label,
      about: group === 'Everywhere' ? '' : group,
      key,
      run: () => run(),
    }));
  return notificationState() === 'off' ? [...actions, ASK_TO_NOTIFY] : actions;
}

const ASK_TO_NOTIFY: Entry = {
  id: 'notify',
  label: 'Tell me when a session needs me',
  about: 'with a browser notification',
  run: () => void switchNotifications(true),
};

function sessionEntries(
  sessions: readonly ListedSession[],
  query: string,
  onOpen: (session: ListedSession) => void,
): Entry[] {
  return ordered(
    sessions.filter((session) => !isArchived(session)),
    query,
  ).map((session) => ({
    id: keyOf(session),
    label: session.title || 'New session',
    about: [moodOf(session.status) === 'needs-you' && MOOD_LABELS['needs-you'], projectOf(session), session.host?.name]
      .filter(Boolean)
      .join(' · '),
    run: () => onOpen(session),
  }));
}

function matches({ label }: Entry, query: string): boolean {
  const text = label.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

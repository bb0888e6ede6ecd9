import type { FoundConversation } from '@moorage/protocol';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { keyOf, type ListedSession } from '../connection/session-board.js';
import { ErrorBoundary } from '../ui/ErrorBoundary.js';
import { SessionRow } from './SessionRow.js';
import type { SessionGroup } from './view.js';

interface Props {
  readonly groups: readonly SessionGroup[];
  /** What was said in sessions that a search found, by their keys. */
  readonly said: ReadonlyMap<string, FoundConversation>;
  readonly query: string;
  readonly selected: string | undefined;
  readonly chosen: ReadonlySet<string>;
  readonly now: number;
  /** The field above the rows, which the arrows lead to and from. */
  readonly search: RefObject<HTMLInputElement | null>;
  /** Said when there is no row. */
  readonly empty: string;
  readonly onClick: (session: ListedSession, event: MouseEvent) => void;
  readonly onMenu: (session: ListedSession, at: { readonly x: number; readonly y: number }) => void;
  readonly onKey: (key: string, session: ListedSession) => void;
}

type Entry = { readonly key: string } & (
  | { readonly kind: 'group'; readonly label: string; readonly count: number }
  | { readonly kind: 'session'; readonly session: ListedSession }
);

const HEIGHTS = { group: 28, session: 47 } as const;

/** The rows of the list. Only those in view exist, so ten thousand scroll like ten. */
export function SessionRows(props: Props) {
  const { groups, said, query, selected, chosen, now, search, empty, onClick, onMenu, onKey } = props;
  const box = useRef<HTMLDivElement>(null);
  const entries = useMemo(() => entriesOf(groups), [groups]);
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: useCallback((index: number) => HEIGHTS[entries[index]?.kind ?? 'session'], [entries]),
    getItemKey: useCallback((index: number) => entries[index]?.key ?? index, [entries]),
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const [last, setLast] = useState<string>();
  const at = entries.findIndex(({ key }) => key === selected);
  // The open session stays in view while others are listed above it, until the user scrolls.
  const [scrolled, setScrolled] = useState<string>();
  const follows = selected !== undefined && scrolled !== selected;
  const height = virtual.getTotalSize();
  const isDrawn = items.some(({ index }) => index === at);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when it has another place, also because rows were measured
  useEffect(() => {
    if (!follows || at < 0) return;
    if (isDrawn) box.current?.querySelector(`[data-index="${at}"]`)?.scrollIntoView({ block: 'nearest' });
    else virtual.scrollToIndex(at, { align: 'auto' });
  }, [selected, at, height, isDrawn]);
  const onScrolling = () => setScrolled(selected);

  const inView = items.flatMap(({ index }) => {
    const entry = entries[index];
    return entry?.kind === 'session' ? [entry.key] : [];
  });
  const stop = [last, selected].find((key) => key !== undefined && inView.includes(key)) ?? inView[0];

  const focus = (index: number) => {
    const entry = entries[index];
    if (entry?.kind !== 'session') return;
    setLast(entry.key);
    virtual.scrollToIndex(index, { align: 'auto' });
    const row = () => box.current?.querySelector<HTMLElement>(`[data-index="${index}"] .session-row`);
    // A row far away exists only once the list has been drawn there.
    if (row()) row()?.focus();
    else requestAnimationFrame(() => row()?.focus());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return;
    const { key: from } = event.target.closest<HTMLElement>('.session-row')?.dataset ?? {};
    const index = entries.findIndex(({ key }) => key === from);
    const entry = entries[index];
    if (entry?.kind !== 'session') return;
    const goal = goalOf(event.key, index, entries);
    if (goal !== undefined) {
      if (goal < 0) search.current?.focus();
      else focus(goal);
    } else if (ROW_KEYS.has(event.key)) onKey(event.key, entry.session);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    const field = search.current;
    const onDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      focus(entries.findIndex(({ kind }) => kind === 'session'));
    };
    field?.addEventListener('keydown', onDown);
    return () => field?.removeEventListener('keydown', onDown);
  });

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys for the rows inside
    <div
      className="session-rows"
      ref={box}
      onKeyDown={onKeyDown}
      onWheel={onScrolling}
      onTouchMove={onScrolling}
      onPointerDown={onScrolling}
    >
      {entries.length === 0 && empty && <p className="empty">{empty}</p>}
      <ul className="virtual" style={{ height }}>
        {items.map(({ index, key, start }) => {
          const entry = entries[index];
          return (
            entry && (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className="virtual-row"
                style={{ transform: `translateY(${start}px)` }}
              >
                {entry.kind === 'group' ? (
                  <h2 className="session-group">
                    {entry.label} <span className="quiet">{entry.count}</span>
                  </h2>
                ) : (
                  <ErrorBoundary of={entry.session} fallback={<BrokenRow session={entry.session} />}>
                    <SessionRow
                      session={entry.session}
                      selected={entry.key === selected}
                      chosen={chosen.size > 0 ? chosen.has(entry.key) : undefined}
                      isStop={entry.key === stop}
                      now={now}
                      excerpt={said.get(entry.key)?.excerpt}
                      query={said.has(entry.key) ? query : ''}
                      onClick={onClick}
                      onMenu={onMenu}
                    />
                  </ErrorBoundary>
                )}
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

const ROW_KEYS: ReadonlySet<string> = new Set(['x', 'e', 'u', 'Delete']);

function entriesOf(groups: readonly SessionGroup[]): readonly Entry[] {
  return groups.flatMap(({ label, sessions }): Entry[] => [
    ...(label === '' ? [] : [{ kind: 'group' as const, key: `group ${label}`, label, count: sessions.length }]),
    ...sessions.map((session): Entry => ({ kind: 'session', key: keyOf(session), session })),
  ]);
}

/** The index of the row that a key moves to, -1 for the search field; undefined for any other key. */
function goalOf(key: string, from: number, entries: readonly Entry[]): number | undefined {
  const isSession = ({ kind }: Entry) => kind === 'session';
  switch (key) {
    case 'ArrowDown': {
      const next = entries.findIndex((entry, index) => index > from && isSession(entry));
      return next < 0 ? from : next;
    }
    case 'ArrowUp':
      return entries.findLastIndex((entry, index) => index < from && isSession(entry));
    case 'Home':
      return entries.findIndex(isSession);
    case 'End':
      return entries.findLastIndex(isSession);
    default:
      return undefined;
  }
}

function BrokenRow({ session }: { readonly session: ListedSession }) {
  const place = session.host ? ` of ${session.host.name}` : '';
  return <p className="empty">{`A session${place} could not be shown.`}</p>;
}

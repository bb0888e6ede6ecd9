import type { Mirror } from '@moorage/client';
import type { Annotation, AnnotationOrigin } from '@moorage/protocol';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type PointerEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { FileHead } from './FileHead.js';
import type { ReviewFile } from './file.js';
import type { ReviewOptions } from './options.js';
import { RowView } from './RowView.js';
import { ReviewActionsContext } from './review-actions.js';
import type { Row } from './rows.js';
import { SearchBar } from './SearchBar.js';
import { SearchContext } from './search.js';
import type { Sent } from './send-comments.js';
import type { Threads } from './threads.js';
import { useAnchor } from './use-anchor.js';
import { useDiffs } from './use-diffs.js';
import { useFoundRows } from './use-found-rows.js';
import { useReviewKeys } from './use-review-keys.js';
import { useReviewState } from './use-review-state.js';
import { useRows } from './use-rows.js';

interface Props {
  readonly files: readonly ReviewFile[];
  readonly options: ReviewOptions;
  /** A file to go to. Each request is a new object. */
  readonly goal: { readonly file: string } | undefined;
  /** The changeset's URI. */
  readonly uri: string;
  readonly threads: Threads;
  readonly mirror: Mirror<'annotations'> | undefined;
  /** `shown`: the turn whose result is shown, undefined for the current folder. `named`: the turn that new comments name. */
  readonly turns: { readonly shown: string | undefined; readonly origin: AnnotationOrigin };
  readonly onSend: ((annotations: readonly Annotation[]) => void) | undefined;
  /** The comments that were sent to the agent, by id. */
  readonly sent: ReadonlyMap<string, Sent>;
  readonly searching: boolean;
  readonly onSearching: (isSearching: boolean) => void;
  readonly onOptions: (change: Partial<ReviewOptions>) => void;
  /** Goes to a file. */
  readonly onOpen: (file: string) => void;
  readonly onCurrent: (file: string) => void;
}

/** All files in one scrolling list, of which only the rows in view are rendered. */
export function DiffList(props: Props) {
  const { files, options, goal, uri, threads, mirror, turns, searching } = props;
  const { onSend, sent, onSearching, onOptions, onOpen, onCurrent } = props;
  const [box, setBox] = useState<HTMLElement | null>(null);
  const diffs = useDiffs(options.ignoreWhitespace);
  const { actions, editor, collapsed, opened } = useReviewState({
    uri,
    files,
    diffs,
    mirror,
    threads,
    origin: turns.origin,
    onSend,
    sent,
    onOpen,
  });
  const rows = useRows({
    files,
    diffs,
    split: options.split,
    collapsed,
    opened,
    threads,
    shownTurn: turns.shown,
    editor,
  });
  const virtual = useVirtualizer<HTMLElement, Element>({
    count: rows.length,
    getScrollElement: () => box,
    estimateSize: useCallback((index: number) => estimate(rows[index]), [rows]),
    // Must be the same function for the same rows: the virtualizer measures all rows again for a new one.
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan: 10,
  });
  const reading = useAnchor(rows, virtual, box);
  const items = virtual.getVirtualItems();
  const [cursor, setCursor] = useReviewKeys({
    rows,
    virtual,
    box,
    reading,
    actions,
    options,
    onOptions,
    onSearch: () => onSearching(true),
  });
  const search = useFoundRows({ rows, files, diffs, opened, collapsed, actions, reading, onCursor: setCursor });

  const inView = items.map(({ index }) => rows[index]?.file.id).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when other files, or other versions of them, come into view
  useEffect(() => {
    const seen = new Set(items.flatMap(({ index }) => rows[index]?.file ?? []));
    diffs.want([...seen].filter((file) => !collapsed.has(file.id)));
  }, [inView, files, collapsed, diffs.want]);

  const top = rowAt(rows, items, virtual.scrollOffset ?? 0);
  // One file is the current one: that of the cursor, to which keys apply, and without a cursor the one at the top.
  const atCursor = cursor === undefined ? -1 : rows.findIndex(({ key }) => key === cursor);
  const currentFile = rows[atCursor]?.file.id ?? top?.file.id;
  useEffect(() => {
    if (currentFile !== undefined) onCurrent(currentFile);
  }, [currentFile, onCurrent]);
  /** Keys must not apply to what is out of sight. */
  const onScroll = () => {
    reading.onScrolled();
    const place = virtual.measurementsCache[atCursor];
    if (box && place && (place.end <= box.scrollTop || place.start >= box.scrollTop + box.clientHeight))
      setCursor((now) => (now === cursor ? undefined : now)); // it may just have been put where this scrolls to
  };

  const latest = useRef({ rows, reading });
  latest.current = { rows, reading };
  useEffect(() => {
    const index = goal ? latest.current.rows.findIndex(({ key }) => key === goal.file) : -1;
    if (index < 0) return;
    latest.current.reading.goTo(index, 'start');
    setCursor(goal?.file);
  }, [goal, setCursor]);

  const sticky = useMemo(() => (top && top.kind !== 'file' && top.kind !== 'waiting' ? top.file : undefined), [top]);
  /** The hunk under the pointer, whose actions are shown. */
  const [pointed, setPointed] = useState<string>();
  const onPointer = (event: PointerEvent) => {
    const { index } = (event.target as Element).closest<HTMLElement>('.virtual-row')?.dataset ?? {};
    setPointed(index === undefined ? undefined : hunkAt(rows, Number(index)));
  };
  return (
    <ReviewActionsContext value={actions}>
      <div className="diff-column">
        {searching && (
          <SearchBar
            {...search}
            onClose={() => {
              onSearching(false);
              search.onQuery('');
              box?.focus({ preventScroll: true });
            }}
          />
        )}
        <section
          className="diff-scroll"
          ref={setBox}
          onScroll={onScroll}
          onPointerOver={onPointer}
          onPointerLeave={() => setPointed(undefined)}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
          tabIndex={0}
          aria-label="Changes"
        >
          <SearchContext value={searching ? search.query : ''}>
            <div className="sticky-head">{sticky && <FileHead file={sticky} place={`top ${sticky.id}`} />}</div>
            <div className="virtual" style={{ height: virtual.getTotalSize() }}>
              {items.map(({ index, key, start }) => {
                const row = rows[index];
                return (
                  row && (
                    <div
                      key={key}
                      ref={virtual.measureElement}
                      data-index={index}
                      className="virtual-row"
                      data-cursor={row.key === cursor || undefined}
                      data-pointed={row.key === pointed || undefined}
                      style={{ transform: `translateY(${start}px)` }}
                    >
                      <RowView row={row} />
                    </div>
                  )
                );
              })}
            </div>
          </SearchContext>
        </section>
      </div>
    </ReviewActionsContext>
  );
}

/** The key of the header of the hunk that a row is in. */
function hunkAt(rows: readonly Row[], index: number): string | undefined {
  for (let at = index; at >= 0; at--) {
    const row = rows[at];
    if (row?.kind === 'hunk') return row.key;
    if (row?.kind === 'file' || row?.kind === 'waiting') return undefined;
  }
  return undefined;
}

function rowAt(
  rows: readonly Row[],
  items: readonly { index: number; end: number }[],
  offset: number,
): Row | undefined {
  const item = items.find(({ end }) => end > offset);
  return item && rows[item.index];
}

const LINE_PX = 20;
/** Must match review.css. */
const WAITING_PX = 120;

/** Close to the real height, so that little moves once that is measured. */
function estimate(row: Row | undefined): number {
  switch (row?.kind) {
    case 'file':
      return 34;
    case 'hunk':
      return 26;
    case 'thread':
      return row.annotation.resolved ? 44 : 130;
    case 'editor':
      return 136;
    case 'waiting':
      return 34 + WAITING_PX;
    case 'body':
      return row.diff.kind === 'image' ? 240 : 44;
    default:
      return LINE_PX;
  }
}

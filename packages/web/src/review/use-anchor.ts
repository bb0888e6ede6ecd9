import type { Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef } from 'react';
import type { Row } from './rows.js';

/** The row at the top of the window. */
interface Anchor {
  readonly index: number;
  readonly key: string;
  readonly file: string;
  readonly text: string | undefined;
  /** Pixels from the start of the row to the top of the window. */
  readonly offset: number;
}

export interface Reading {
  /** To be called when the list has scrolled. */
  onScrolled(): void;
  /** Scrolls a row to the middle of the window, unless it is completely visible. */
  reveal(index: number): void;
  /** Scrolls a row to the top or to the middle of the window. */
  goTo(index: number, align: 'start' | 'center'): void;
}

/**
 * Keeps the row that the user is reading in place. Contents load and agents edit meanwhile; without this, rows that are
 * added or removed above would make everything below jump.
 */
export function useAnchor(
  rows: readonly Row[],
  virtualizer: Virtualizer<HTMLElement, Element>,
  box: HTMLElement | null,
): Reading {
  const anchor = useRef<Anchor>(undefined);
  /**
   * The scroll position after a jump. As long as it is unchanged, the target of the jump counts as the row being read, even
   * if there was too little below it to reach the top: the contents of files load later than their names.
   */
  const jumpedTo = useRef<number>(undefined);
  const before = useRef(rows);
  useLayoutEffect(() => {
    if (before.current === rows) return;
    before.current = rows;
    const held = anchor.current;
    const jumped = jumpedTo.current !== undefined;
    if (!held || !box || (box.scrollTop === 0 && !jumped)) return;
    const index = findAnchor(rows, held);
    const start = index < 0 ? undefined : virtualizer.getOffsetForIndex(index, 'start')?.[0];
    if (start === undefined) return;
    const isSame = rows[index]?.key === held.key || rowText(rows[index]) !== undefined;
    const wanted = start + (isSame ? held.offset : 0);
    if (Math.abs(wanted - box.scrollTop) > 1) box.scrollTop = wanted;
    if (jumped) jumpedTo.current = box.scrollTop;
  }, [rows, virtualizer, box]);

  const goTo: Reading['goTo'] = (index, align) => {
    const row = rows[index];
    // Not with the virtualizer's scrollToIndex, which keeps scrolling to an index that may belong to another row by then.
    const wanted = virtualizer.getOffsetForIndex(index, align)?.[0];
    if (!box || !row || wanted === undefined) return;
    box.scrollTop = wanted;
    if (align === 'center') return;
    anchor.current = anchorAt(row, index, 0);
    jumpedTo.current = box.scrollTop;
  };
  return {
    onScrolled() {
      if (!box) return;
      if (jumpedTo.current !== undefined && Math.abs(box.scrollTop - jumpedTo.current) <= 1) return;
      jumpedTo.current = undefined;
      const item = virtualizer.getVirtualItemForOffset(box.scrollTop);
      const row = item && rows[item.index];
      if (item && row) anchor.current = anchorAt(row, item.index, box.scrollTop - item.start);
    },
    reveal(index) {
      const item = virtualizer.getVirtualItems().find((candidate) => candidate.index === index);
      const isInView =
        item && box && item.start >= box.scrollTop + STICKY_PX && item.end <= box.scrollTop + box.clientHeight;
      if (!isInView) goTo(index, 'center');
    },
    goTo,
  };
}

/** The height of the sticky header. Must match review.css. */
const STICKY_PX = 34;

function anchorAt(row: Row, index: number, offset: number): Anchor {
  return { index, key: row.key, file: row.file.id, text: rowText(row), offset };
}

/** Finds the anchor in changed rows. If lines were added or removed above, the nearest line with the same text is taken. */
function findAnchor(rows: readonly Row[], { index, key, file, text }: Anchor): number {
  const exact = rows.findIndex((row) => row.key === key);
  if (exact >= 0 && rowText(rows[exact]) === text) return exact;
  let nearest = -1;
  if (text !== undefined)
    rows.forEach((row, at) => {
      if (row.file.id !== file || rowText(row) !== text) return;
      if (nearest < 0 || Math.abs(at - index) < Math.abs(nearest - index)) nearest = at;
    });
  if (nearest >= 0) return nearest;
  return exact >= 0 ? exact : rows.findIndex((row) => row.key === file);
}

function rowText(row: Row | undefined): string | undefined {
  if (row?.kind === 'line') return row.line.text;
  return row?.kind === 'pair' ? (row.right ?? row.left)?.text : undefined;
}

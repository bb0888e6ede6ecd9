import type { Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef } from 'react';
import type { Row } from './rows.js';

/** What the reader has at the top of the window. */
interface Anchor {
  readonly index: number;
  readonly key: string;
  readonly file: string;
  readonly text: string | undefined;
  /** Pixels from the start of the row to the top of the window. */
  readonly offset: number;
}

/**
 * Keeps what the reader looks at where it is. Contents arrive and agents edit while somebody reads; rows come and go
 * above, and without this everything below would jump.
 */
export function useAnchor(
  rows: readonly Row[],
  virtualizer: Virtualizer<HTMLElement, Element>,
  box: HTMLElement | null,
): () => void {
  const anchor = useRef<Anchor>(undefined);
  const before = useRef(rows);
  useLayoutEffect(() => {
    if (before.current === rows) return;
    before.current = rows;
    const held = anchor.current;
    if (!held || !box || box.scrollTop === 0) return;
    const index = findAnchor(rows, held);
    const start = index < 0 ? undefined : virtualizer.getOffsetForIndex(index, 'start')?.[0];
    if (start === undefined) return;
    const isSame = rows[index]?.key === held.key || textOf(rows[index]) !== undefined;
    const wanted = start + (isSame ? held.offset : 0);
    if (Math.abs(wanted - box.scrollTop) > 1) box.scrollTop = wanted;
  }, [rows, virtualizer, box]);

  /** To be called when the reader has scrolled. */
  return () => {
    if (!box) return;
    const item = virtualizer.getVirtualItemForOffset(box.scrollTop);
    const row = item && rows[item.index];
    if (!item || !row) return;
    const { key, file } = row;
    anchor.current = { index: item.index, key, file: file.id, text: textOf(row), offset: box.scrollTop - item.start };
  };
}

/** Lines above may have come or gone, so that numbers mean other lines: the same text nearby is the same line. */
function findAnchor(rows: readonly Row[], { index, key, file, text }: Anchor): number {
  const exact = rows.findIndex((row) => row.key === key);
  if (exact >= 0 && textOf(rows[exact]) === text) return exact;
  let nearest = -1;
  if (text !== undefined)
    rows.forEach((row, at) => {
      if (row.file.id !== file || textOf(row) !== text) return;
      if (nearest < 0 || Math.abs(at - index) < Math.abs(nearest - index)) nearest = at;
    });
  if (nearest >= 0) return nearest;
  return exact >= 0 ? exact : rows.findIndex((row) => row.key === file);
}

function textOf(row: Row | undefined): string | undefined {
  if (row?.kind === 'line') return row.line.text;
  return row?.kind === 'pair' ? (row.right ?? row.left)?.text : undefined;
}

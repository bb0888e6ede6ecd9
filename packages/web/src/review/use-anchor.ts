import type { Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef } from 'react';
import type { Row } from './rows.js';

/**
 * Keeps what the reader looks at where it is. Contents arrive and agents edit while somebody reads; rows come and go
 * above, and without this everything below would jump.
 */
export function useAnchor(
  rows: readonly Row[],
  virtualizer: Virtualizer<HTMLElement, Element>,
  box: HTMLElement | null,
) {
  const anchor = useRef<{ key: string; file: string; offset: number; fileOffset: number }>(undefined);
  const before = useRef(rows);
  useLayoutEffect(() => {
    if (before.current === rows) return;
    before.current = rows;
    const held = anchor.current;
    if (!held || !box || box.scrollTop === 0) return;
    const exact = rows.findIndex(({ key }) => key === held.key);
    const index = exact >= 0 ? exact : rows.findIndex(({ key }) => key === held.file);
    const start = index < 0 ? undefined : virtualizer.getOffsetForIndex(index, 'start')?.[0];
    if (start === undefined) return;
    const wanted = start + (exact >= 0 ? held.offset : Math.max(0, held.fileOffset));
    if (Math.abs(wanted - box.scrollTop) > 1) box.scrollTop = wanted;
  }, [rows, virtualizer, box]);

  /** To be called when the reader has scrolled. */
  return () => {
    if (!box) return;
    const item = virtualizer.getVirtualItemForOffset(box.scrollTop);
    const row = item && rows[item.index];
    if (!item || !row) return;
    anchor.current = {
      key: row.key,
      file: row.file.id,
      offset: box.scrollTop - item.start,
      fileOffset: row.kind === 'file' || row.kind === 'waiting' ? box.scrollTop - item.start : 0,
    };
  };
}

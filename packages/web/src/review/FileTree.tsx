import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { CommentCount } from '../ui/CommentCount.js';
import { Counts } from '../ui/Counts.js';
import { Icon } from '../ui/Icon.js';
import { useMedia } from '../ui/use-media.js';
import { PHONE } from '../ui/widths.js';
import type { ReviewFile } from './file.js';
import type { Threads } from './threads.js';
import { treeRows } from './tree.js';

interface Props {
  readonly files: readonly ReviewFile[];
  readonly threads: Threads;
  readonly current: string | undefined;
  readonly onOpen: (id: string) => void;
}

/** Row heights. Must match review.css and small.css. */
const ROW_PX = 24;
const PHONE_ROW_PX = 36;

/** The changed files as a tree with a filter. Only the rows in view are rendered. */
export function FileTree({ files, threads, current, onOpen }: Props) {
  const rowPx = useMedia(PHONE) ? PHONE_ROW_PX : ROW_PX;
  const box = useRef<HTMLDivElement>(null);
  const [filter, setFilter] = useState('');
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => {
    const text = filter.toLowerCase();
    return text ? files.filter(({ path }) => path.toLowerCase().includes(text)) : files;
  }, [files, filter]);
  const rows = useMemo(() => treeRows(shown, closed), [shown, closed]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowPx,
    overscan: 12,
  });
  // Scrolls to the current file, but not while the list is filtered.
  useEffect(() => {
    const index = filter ? -1 : rows.findIndex((row) => row.kind === 'file' && row.file.id === current);
    if (index >= 0) virtual.scrollToIndex(index, { align: 'auto' });
  }, [current, filter, rows, virtual]);
  const toggle = (path: string) => {
    const next = new Set(closed);
    if (!next.delete(path)) next.add(path);
    setClosed(next);
  };
  return (
    <nav className="file-tree" aria-label="Changed files">
      <input
        type="search"
        className="tree-filter"
        placeholder="Filter files"
        aria-label="Filter files"
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
      />
      <div className="tree-scroll" ref={box}>
        <div className="virtual" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            if (!row) return null;
            const place = { transform: `translateY(${start}px)`, paddingLeft: 8 + row.depth * 12 };
            if (row.kind === 'folder')
              return (
                <button
                  key={`folder ${row.path}`}
                  type="button"
                  className="tree-row folder-row"
                  style={place}
                  aria-expanded={!closed.has(row.path)}
                  onClick={() => toggle(row.path)}
                >
                  <Icon name="chevron" />
                  <bdi className="tree-name">{row.name}</bdi>
                </button>
              );
            const { file, name } = row;
            return (
              <button
                key={file.id}
                type="button"
                className="tree-row"
                style={place}
                title={file.path}
                aria-current={file.id === current ? 'true' : undefined}
                onClick={() => onOpen(file.id)}
              >
                <span className={`letter letter-${file.letter}`}>{file.letter}</span>
                <bdi className="tree-name">{name}</bdi>
                <CommentCount count={threads.openIn(file)} />
                {file.reviewed && <Icon name="check" />}
                <Counts added={file.added} removed={file.removed} />
              </button>
            );
          })}
        </div>
      </div>
    </nav>
  );
}

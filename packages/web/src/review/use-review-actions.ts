import type { Mirror } from '@ahpd/client';
import { useCallback, useMemo, useRef, useState } from 'react';
import { orTell } from '../ui/toasts.js';
import type { ReviewFile } from './file.js';
import { resourceOf, textRange } from './ranges.js';
import type { ReviewActions } from './review-actions.js';
import type { LineRange } from './rows.js';
import type { Diffs } from './use-diffs.js';

/** What the reader has chosen, folded and opened, and the comments that are being written. */
export function useReviewState(diffs: Diffs, mirror: Mirror<'annotations'> | undefined, turnId: string) {
  const [selection, select] = useState<LineRange>();
  const [editor, comment] = useState<LineRange>();
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<ReadonlyMap<string, ReadonlySet<string>>>(new Map());
  const lastLine = useRef<LineRange>(undefined);

  const selectLine = useCallback((file: ReviewFile, side: 'before' | 'after', line: number, extend: boolean) => {
    const last = lastLine.current;
    const start = extend && last?.file === file.id && last.side === side ? last.from : line;
    const range = { file: file.id, side, from: Math.min(start, line), to: Math.max(start, line) };
    if (start === line) lastLine.current = range;
    select((now) => (now && !extend && now.from === line && now.to === line && now.side === side ? undefined : range));
  }, []);

  const actions = useMemo<ReviewActions>(
    () => ({
      selection,
      select,
      selectLine,
      comment,
      saveComment(file, range, text) {
        const annotation = {
          id: crypto.randomUUID(),
          turnId,
          resource: resourceOf(file, range.side),
          range: textRange(range.from, range.to),
          resolved: false,
          entries: [{ id: crypto.randomUUID(), text }],
          ...(range.side === 'before' && { _meta: { side: 'before' } }),
        };
        orTell(mirror?.dispatch({ type: 'annotations/set', annotation }));
        comment(undefined);
        select(undefined);
      },
      reply: (annotationId, text) =>
        orTell(
          mirror?.dispatch({ type: 'annotations/entrySet', annotationId, entry: { id: crypto.randomUUID(), text } }),
        ),
      setResolved: (annotationId, resolved) =>
        orTell(mirror?.dispatch({ type: 'annotations/updated', annotationId, resolved })),
      removeThread: (annotationId) => orTell(mirror?.dispatch({ type: 'annotations/removed', annotationId })),
      openGap: (file, gap) =>
        setOpened((now) => new Map(now).set(file.id, new Set([...(now.get(file.id) ?? []), gap]))),
      toggleFile: (file) =>
        setCollapsed((now) => {
          const next = new Set(now);
          if (!next.delete(file.id)) next.add(file.id);
          return next;
        }),
      isCollapsed: (file) => collapsed.has(file.id),
      showLarge: diffs.showLarge,
    }),
    [selection, selectLine, collapsed, mirror, turnId, diffs.showLarge],
  );
  return { actions, editor, collapsed, opened };
}

import type { Mirror } from '@ahpd/client';
import type { Annotation } from '@ahpd/protocol';
import { useCallback, useMemo, useRef, useState } from 'react';
import { orTell } from '../ui/toasts.js';
import { draftName, forgetDraft, keepOpenEditor, readOpenEditor } from './comment-drafts.js';
import type { ReviewFile } from './file.js';
import { newAnnotation } from './new-annotation.js';
import type { ReviewActions } from './review-actions.js';
import type { LineRange } from './rows.js';
import type { Threads } from './threads.js';
import type { Diffs } from './use-diffs.js';

interface Inputs {
  /** The changeset. */
  readonly uri: string;
  readonly diffs: Diffs;
  readonly mirror: Mirror<'annotations'> | undefined;
  readonly threads: Threads;
  /** The turn that comments name. */
  readonly turnId: string;
  readonly onSend: ((annotations: readonly Annotation[]) => void) | undefined;
}

/** What the reader has chosen, folded and opened, and the comments that are being written. */
export function useReviewState({ uri, diffs, mirror, threads, turnId, onSend }: Inputs) {
  const [selection, select] = useState<LineRange>();
  const [editor, setEditor] = useState(() => readOpenEditor(uri));
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<ReadonlyMap<string, ReadonlySet<string>>>(new Map());
  const lastLine = useRef<LineRange>(undefined);

  const comment = useCallback(
    (range: LineRange | undefined) => {
      setEditor(range);
      keepOpenEditor(uri, range);
    },
    [uri],
  );
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
      draftScope: uri,
      openComments: (file) => threads.openIn(file),
      saveComment(file, range, text) {
        const saving = mirror?.dispatch({
          type: 'annotations/set',
          annotation: newAnnotation(file, range, text, turnId, diffs.get(file)),
        });
        comment(undefined);
        select(undefined);
        // Only then: what was not taken is there to be sent again.
        saving?.then(
          () => forgetDraft(`${uri} ${draftName(range)}`),
          () => comment(range),
        );
        orTell(saving);
      },
      async saveEntry(annotationId, entryId, text) {
        await mirror?.dispatch({ type: 'annotations/entrySet', annotationId, entry: { id: entryId, text } });
      },
      removeEntry: (annotationId, entryId) =>
        orTell(mirror?.dispatch({ type: 'annotations/entryRemoved', annotationId, entryId })),
      sendThread: onSend && ((annotation) => onSend([annotation])),
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
    [uri, selection, selectLine, comment, collapsed, mirror, threads, turnId, onSend, diffs.get, diffs.showLarge],
  );
  return { actions, editor, collapsed, opened };
}

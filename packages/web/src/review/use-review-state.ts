import type { Mirror } from '@moorage/client';
import type { Annotation, AnnotationOrigin } from '@moorage/protocol';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { useClient } from '../connection/context.js';
import { useRights } from '../connection/rights.js';
import { showFailure } from '../ui/toasts.js';
import { draftName, forgetDraft, keepOpenEditor, readOpenEditor } from './comment-drafts.js';
import type { ReviewFile } from './file.js';
import type { FileDiff } from './file-diff.js';
import { newAnnotation, newEntry } from './new-annotation.js';
import { changesIn } from './ranges.js';
import type { ReviewActions } from './review-actions.js';
import type { LineRange } from './rows.js';
import type { Sent } from './send-comments.js';
import type { Threads } from './threads.js';
import type { Diffs } from './use-diffs.js';
import { ViewedContext } from './viewed.js';

interface Inputs {
  readonly files: readonly ReviewFile[];
  /** The changeset's URI. */
  readonly uri: string;
  readonly diffs: Diffs;
  readonly mirror: Mirror<'annotations'> | undefined;
  readonly threads: Threads;
  /** Where new comments are made. */
  readonly origin: AnnotationOrigin;
  readonly onSend: ((annotations: readonly Annotation[]) => void) | undefined;
  /** The comments that were sent to the agent, by id. */
  readonly sent: ReadonlyMap<string, Sent>;
  /** Goes to a file. */
  readonly onOpen: (file: string) => void;
}

/** Selected lines, with their version and diff: in another version, the numbers would mean other lines. */
interface Chosen {
  readonly range: LineRange;
  /** The line that was selected first. */
  readonly start: number;
  readonly version: string;
  readonly diff: FileDiff | undefined;
}

/** What the user has selected, folded and opened, and the open comment editor. */
export function useReviewState({ uri, files, diffs, mirror, threads, origin, onSend, sent, onOpen }: Inputs) {
  const [chosen, setChosen] = useState<Chosen>();
  const [editor, setEditor] = useState(() => readOpenEditor(uri));
  // What was viewed before is folded; what another client marks meanwhile stays open for whoever reads it.
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(
    () => new Set(files.flatMap(({ id, reviewed }) => (reviewed ? id : []))),
  );
  // A mark that is gone, such as because the file has changed, unfolds it again.
  const marked = useRef<readonly ReviewFile[]>(files);
  useEffect(() => {
    const before = new Set(marked.current.flatMap(({ id, reviewed }) => (reviewed ? id : [])));
    marked.current = files;
    const lost = files.filter(({ id, reviewed }) => !reviewed && before.has(id));
    if (lost.length > 0) setCollapsed((now) => new Set([...now].filter((id) => !lost.some((file) => file.id === id))));
  }, [files]);
  const [opened, setOpened] = useState<ReadonlyMap<string, ReadonlySet<string>>>(new Map());
  const selection = chosen && isThere(chosen, files, diffs) ? chosen.range : undefined;
  const touched = useMemo(() => (selection ? changesIn(chosen?.diff, selection) : []), [selection, chosen]);

  const canComment = useRights().may('review');
  const comment = useCallback(
    (range: LineRange | undefined) => {
      if (!canComment && range) return; // such as by a double click on a line's number
      setEditor(range);
      keepOpenEditor(uri, range);
    },
    [uri, canComment],
  );
  const { get } = diffs;
  const deselect = useCallback(() => setChosen(undefined), []);
  const selectLine = useCallback(
    (file: ReviewFile, side: 'before' | 'after', line: number, extend: boolean) => {
      const seen = { version: file.version, diff: get(file) };
      setChosen((now) => {
        const isHere = now?.range.file === file.id && now.range.side === side && now.diff === seen.diff;
        if (isHere && !extend && now.range.from === line && now.range.to === line) return undefined;
        const start = isHere && extend ? now.start : line;
        const range = { file: file.id, side, from: Math.min(start, line), to: Math.max(start, line) };
        return { range, start, ...seen };
      });
    },
    [get],
  );

  const foldFile = useCallback((file: ReviewFile, isFolded: boolean) => {
    setChosen((now) => (now?.range.file === file.id ? undefined : now)); // operations must not apply to hidden lines
    setCollapsed((now) => {
      const next = new Set(now);
      if (isFolded) next.add(file.id);
      else next.delete(file.id);
      return next;
    });
  }, []);

  const { clientId } = useClient();
  const viewed = useContext(ViewedContext);
  const setViewed = useCallback(
    (file: ReviewFile, isViewed: boolean) => {
      viewed?.setFile(file, isViewed);
      foldFile(file, isViewed);
      const next = isViewed && nextUnviewed(files, file);
      if (next) onOpen(next.id);
    },
    [viewed, files, foldFile, onOpen],
  );

  const actions = useMemo<ReviewActions>(
    () => ({
      selection,
      touched,
      deselect,
      selectLine,
      comment,
      canComment,
      draftScope: uri,
      openComments: (file) => threads.openIn(file),
      saveComment(file, range, text) {
        const saving = mirror?.dispatch({
          type: 'annotations/set',
          annotation: newAnnotation(file, range, text, { origin, clientId, diff: diffs.get(file) }),
        });
        comment(undefined);
        deselect();
        // Forgets the draft only once the host has accepted it, so that it can be sent again.
        saving?.then(
          () => forgetDraft(`${uri} ${draftName(range)}`),
          () => comment(range),
        );
        showFailure(saving);
      },
      async saveEntry(annotationId, entryId, text) {
        const known = threads.all.find(({ id }) => id === annotationId)?.entries.find(({ id }) => id === entryId);
        // Whoever corrects a comment does not become its author.
        const entry = known ? { ...known, text: { markdown: text } } : newEntry(entryId, text, clientId);
        await mirror?.dispatch({ type: 'annotations/entrySet', annotationId, entry });
      },
      removeEntry: (annotationId, entryId) =>
        showFailure(mirror?.dispatch({ type: 'annotations/entryRemoved', annotationId, entryId })),
      sendThread: onSend && ((annotation) => onSend([annotation])),
      sent,
      setResolved: (annotationId, resolved) =>
        showFailure(mirror?.dispatch({ type: 'annotations/updated', annotationId, resolved })),
      removeThread: (annotationId) => showFailure(mirror?.dispatch({ type: 'annotations/removed', annotationId })),
      openGap: (file, gap) =>
        setOpened((now) => new Map(now).set(file.id, new Set([...(now.get(file.id) ?? []), gap]))),
      toggleFile: (file) => foldFile(file, !collapsed.has(file.id)),
      foldFile,
      setViewed,
      isCollapsed: (file) => collapsed.has(file.id),
      isChanged: (file) => diffs.changed.has(file.id),
      showLarge: diffs.showLarge,
      retry: diffs.retry,
    }),
    [
      uri,
      selection,
      touched,
      deselect,
      selectLine,
      foldFile,
      setViewed,
      comment,
      canComment,
      collapsed,
      mirror,
      threads,
      origin,
      onSend,
      sent,
      clientId,
      diffs.get,
      diffs.changed,
      diffs.showLarge,
      diffs.retry,
    ],
  );
  return { actions, editor: canComment ? editor : undefined, collapsed, opened };
}

/** The next file that was not viewed, from the top again after the last one. */
function nextUnviewed(files: readonly ReviewFile[], file: ReviewFile): ReviewFile | undefined {
  const at = files.findIndex(({ id }) => id === file.id);
  return [...files.slice(at + 1), ...files.slice(0, at)].find(({ reviewed }) => !reviewed);
}

function isThere({ range, version, diff }: Chosen, files: readonly ReviewFile[], diffs: Diffs): boolean {
  const file = files.find(({ id }) => id === range.file);
  return file?.version === version && diffs.get(file) === diff;
}

import type { Virtualizer } from '@tanstack/react-virtual';
import { type Dispatch, type SetStateAction, useContext, useState } from 'react';
import { hasFocus } from '../ui/focus.js';
import { useKeys } from '../ui/keys.js';
import { showToast } from '../ui/toasts.js';
import type { ReviewFile } from './file.js';
import { describeLines } from './lines.js';
import type { ReviewOptions } from './options.js';
import { changesIn, describeChanges, fileTarget, hasLines, hunkRange, rangeTarget } from './ranges.js';
import type { ReviewActions } from './review-actions.js';
import { type LineRange, placeOf, type Row } from './rows.js';
import type { Reading } from './use-anchor.js';
import { useOperations } from './use-operations.js';
import { areViewed, ViewedContext } from './viewed.js';

interface Inputs {
  readonly rows: readonly Row[];
  readonly virtual: Virtualizer<HTMLElement, Element>;
  readonly box: HTMLElement | null;
  readonly reading: Reading;
  readonly actions: ReviewActions;
  readonly options: ReviewOptions;
  readonly onOptions: (change: Partial<ReviewOptions>) => void;
  readonly onSearch: () => void;
}

/** Registers the keys of the review. Returns the key of the row under the cursor, and how to put it elsewhere. */
export function useReviewKeys({
  rows,
  virtual,
  box,
  reading,
  actions,
  options,
  onOptions,
  onSearch,
}: Inputs): readonly [string | undefined, Dispatch<SetStateAction<string | undefined>>] {
  const operations = useOperations();
  const viewed = useContext(ViewedContext);
  const [cursor, setCursor] = useState<string>();
  const at = cursor === undefined ? -1 : rows.findIndex(({ key }) => key === cursor);
  const row = rows[at];

  const clear = () => {
    actions.deselect();
    operations.ask(undefined);
  };
  const go = (step: 1 | -1, isStop: (row: Row) => boolean) => {
    const from = at >= 0 ? at : topIndex(virtual, box) - (step > 0 ? 1 : 0);
    for (let index = from + step; index >= 0 && index < rows.length; index += step) {
      const found = rows[index];
      if (!found || !isStop(found)) continue;
      clear(); // from now on, keys apply to the row under the cursor
      setCursor(found.key);
      reading.goTo(index, isFile(found) ? 'start' : 'center');
      return;
    }
  };
  /** The selected lines, or those of the hunk under the cursor. */
  const range = (): LineRange | undefined =>
    actions.selection ?? (row?.kind === 'hunk' ? hunkRange(row.file, row.lines) : undefined);
  const run = (id: string) => {
    const lines = range();
    const file = rows.find((candidate) => candidate.file.id === (lines?.file ?? row?.file.id))?.file;
    const operation = file && operations.find(id, lines ? 'range' : 'resource');
    if (!file || !operation || operation.status === 'disabled') return;
    if (actions.selection && actions.touched.length === 0) return sayUnchanged(actions.selection);
    const target = lines ? rangeTarget(file, lines) : fileTarget(file);
    if (operation.confirmation === undefined) {
      clear();
      return operations.invoke(operation, target);
    }
    const index = rows.findIndex((candidate) => (lines ? isHeadOf(candidate, file, lines) : candidate.key === file.id));
    const place = rows[index];
    if (!place) return;
    reading.reveal(index);
    const about = lines && place.kind === 'hunk' ? describeChanges(file, changesIn(place.diff, lines)) : undefined;
    operations.ask({ operation, target, about, place: placeOf(place) });
  };
  /** Of the selected lines, the hunk under the cursor, or the file, which is folded then. */
  const toggleViewed = () => {
    const lines = viewed?.setLines && range();
    const file = rows.find((candidate) => candidate.file.id === (lines?.file ?? row?.file.id))?.file;
    if (!file || !viewed) return;
    if (!lines) return actions.setViewed(file, !file.reviewed);
    const changes = actions.selection ? actions.touched : row?.kind === 'hunk' ? changesIn(row.diff, lines) : [];
    if (changes.length === 0) return sayUnchanged(lines);
    viewed.setLines?.(file, lines, !areViewed(file, changes));
    clear();
  };
  const review = (label: string, act: () => void) => ({ label, group: 'Review' as const, run: act });
  const move = (label: string, act: () => void) => ({ ...review(label, act), repeats: true });
  const table = {
    j: move('Next change', () => go(1, (found) => found.stop === true)),
    k: move('Previous change', () => go(-1, (found) => found.stop === true)),
    n: move('Next file', () => go(1, isFile)),
    p: move('Previous file', () => go(-1, isFile)),
    ...(actions.canComment && { c: review('Comment', () => actions.comment(range())) }),
    ...(viewed && { v: review('Viewed', toggleViewed) }),
    s: review('Stage', () => run('stage')),
    x: review('Revert', () => run('revert')),
    '/': review('Search the changes', onSearch),
    'mod+f': review('Search the changes', onSearch),
    t: review('File tree', () => onOptions({ tree: !options.tree })),
    w: review('Whitespace', () => onOptions({ ignoreWhitespace: !options.ignoreWhitespace })),
    d: review('Side by side', () => onOptions({ split: !options.split })),
    ...((actions.selection || operations.question) && { Escape: review('Clear the selection', clear) }),
    e: review('Fold the file', () => row && actions.toggleFile(row.file)),
  };
  useKeys(table, { hasFocus: () => hasFocus(box?.closest('.review') ?? null) });
  return [cursor, setCursor];
}

function sayUnchanged({ from, to }: LineRange): void {
  showToast({ tone: 'error', text: `Nothing was changed on ${describeLines(from, to)}.` });
}

function isFile({ kind }: Row): boolean {
  return kind === 'file' || kind === 'waiting';
}

/** Whether a row is the header of a hunk with some of these lines, which is where operations on them are confirmed. */
function isHeadOf(row: Row, file: ReviewFile, lines: LineRange): boolean {
  return row.kind === 'hunk' && row.file === file && hasLines(lines, row.lines);
}

function topIndex(virtual: Virtualizer<HTMLElement, Element>, box: HTMLElement | null): number {
  return virtual.getVirtualItemForOffset(box?.scrollTop ?? 0)?.index ?? 0;
}

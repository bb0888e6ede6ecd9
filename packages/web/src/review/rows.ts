import type { Annotation } from '@moorage/protocol';
import type { DiffLine } from '../diff/compute.js';
import { pairsOf } from '../diff/pairs.js';
import type { ReviewFile } from './file.js';
import type { FileDiff } from './file-diff.js';
import { placeIn, type ThreadLocation } from './threads.js';

/** Selected lines of a file. Numbers count from 1, with both ends included. */
export interface LineRange {
  readonly file: string;
  readonly side: 'before' | 'after';
  readonly from: number;
  readonly to: number;
}

interface RowBase {
  readonly key: string;
  readonly file: ReviewFile;
  /** Whether `j` and `k` stop here. */
  readonly stop?: boolean;
}

/** One row of a review. All files form one list of rows, so that rendering costs only what is on the screen. */
export type Row = RowBase &
  (
    | { readonly kind: 'file' }
    | { readonly kind: 'waiting' }
    | { readonly kind: 'body'; readonly diff: FileDiff }
    | {
        readonly kind: 'hunk';
        readonly diff: FileDiff;
        readonly lines: readonly DiffLine[];
        readonly gap: string | undefined;
        readonly hidden: number;
      }
    | { readonly kind: 'line'; readonly diff: FileDiff; readonly line: DiffLine }
    | {
        readonly kind: 'pair';
        readonly diff: FileDiff;
        readonly left: DiffLine | undefined;
        readonly right: DiffLine | undefined;
      }
    | { readonly kind: 'thread'; readonly annotation: Annotation; readonly apart: ThreadLocation['apart'] }
    | { readonly kind: 'editor'; readonly range: LineRange }
  );

export interface RowInputs {
  readonly file: ReviewFile;
  readonly diff: FileDiff | undefined;
  readonly collapsed: boolean;
  readonly split: boolean;
  readonly opened: ReadonlySet<string> | undefined;
  /** The comments on this file. */
  readonly annotations: readonly Annotation[];
  /** The turn whose result is shown; undefined for the current file. */
  readonly shownTurn: string | undefined;
  readonly editor: LineRange | undefined;
}

/** The rows of one file. */
export function rowsOf(inputs: RowInputs): Row[] {
  const { file, diff, collapsed, split, opened, annotations, editor } = inputs;
  const rows: Row[] = [{ kind: 'file', key: file.id, file }];
  if (collapsed) return rows;
  // Until its contents are loaded, a file is one row. Of thousands of files, most are never loaded.
  if (!diff) return [{ kind: 'waiting', key: file.id, file, stop: true }];
  if (diff.kind !== 'lines') {
    rows.push({ kind: 'body', key: `${file.id} body`, file, diff, stop: true });
    return [...rows, ...threadsOf(inputs, '', '').map(({ row }) => row)];
  }
  let hidden: { key: string; count: number } | undefined;
  for (const section of diff.sections(opened)) {
    if (section.kind === 'gap') {
      hidden = { key: section.key, count: section.lines.length };
      continue;
    }
    const first = section.lines[0];
    const key = `${file.id} @${first?.oldLine ?? 0},${first?.newLine ?? 0}`;
    rows.push({
      kind: 'hunk',
      key,
      file,
      diff,
      lines: section.lines,
      gap: hidden?.key,
      hidden: hidden?.count ?? 0,
      stop: true,
    });
    hidden = undefined;
    rows.push(...(split ? pairRows(file, diff, section.lines) : lineRows(file, diff, section.lines)));
  }
  if (hidden)
    rows.push({ kind: 'hunk', key: `${file.id} end`, file, diff, lines: [], gap: hidden.key, hidden: hidden.count });
  return annotations.length > 0 || editor ? withThreads(rows, threadsOf(inputs, diff.before, diff.after)) : rows;
}

/** Identifies a row as the place of a confirmation. For lines it includes the version, since it is about that version only. */
export function placeOf({ kind, key, file }: Row): string {
  return kind === 'hunk' ? `${key} ${file.version}` : key;
}

function lineRows(file: ReviewFile, diff: FileDiff, lines: readonly DiffLine[]): Row[] {
  return lines.map((line) => ({ kind: 'line', key: `${file.id} ${lineKey(line)}`, file, diff, line }));
}

function pairRows(file: ReviewFile, diff: FileDiff, lines: readonly DiffLine[]): Row[] {
  return pairsOf(lines).map(({ left, right }) => ({
    kind: 'pair',
    key: `${file.id} ${left ? lineKey(left) : ''}|${right ? lineKey(right) : ''}`,
    file,
    diff,
    left,
    right,
  }));
}

function lineKey({ oldLine, newLine }: DiffLine): string {
  return `${oldLine ?? ''}:${newLine ?? ''}`;
}

interface LocatedRow extends ThreadLocation {
  readonly row: Row;
}

/** Rows for the comments of a file and for the open editor, each with its place. */
function threadsOf({ file, annotations, shownTurn, editor }: RowInputs, before: string, after: string): LocatedRow[] {
  const threads = annotations.map((annotation): LocatedRow => {
    const place = placeIn(annotation, file, { before, after, turnId: shownTurn });
    return {
      ...place,
      row: { kind: 'thread', key: `${file.id} thread ${annotation.id}`, file, annotation, apart: place.apart },
    };
  });
  if (editor)
    threads.push({
      line: editor.to,
      side: editor.side,
      row: { kind: 'editor', key: `${file.id} editor ${editor.side} ${editor.from} ${editor.to}`, file, range: editor },
    });
  return threads;
}

/** Puts comments below the last line that they are about, and those whose line is not shown right after the file's header. */
function withThreads(rows: readonly Row[], threads: readonly LocatedRow[]): Row[] {
  const unplaced = [...threads];
  const placed = rows.flatMap((row) => {
    const here = unplaced.filter((entry) => entry.line !== undefined && isAt(row, entry.side, entry.line));
    for (const entry of here) unplaced.splice(unplaced.indexOf(entry), 1);
    return [row, ...here.map((entry) => entry.row)];
  });
  placed.splice(1, 0, ...unplaced.map(({ row }) => row));
  return placed;
}

function isAt(row: Row, side: 'before' | 'after', number: number): boolean {
  if (row.kind === 'line') return (side === 'before' ? row.line.oldLine : row.line.newLine) === number;
  if (row.kind === 'pair') return (side === 'before' ? row.left?.oldLine : row.right?.newLine) === number;
  return false;
}

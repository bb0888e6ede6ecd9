import type { Annotation } from '@moorage/protocol';
import { useMemo, useRef } from 'react';
import type { ReviewFile } from './file.js';
import { type LineRange, type Row, type RowInputs, rowsOf } from './rows.js';
import type { Threads } from './threads.js';
import type { Diffs } from './use-diffs.js';

interface Inputs {
  readonly files: readonly ReviewFile[];
  readonly diffs: Diffs;
  readonly split: boolean;
  readonly collapsed: ReadonlySet<string>;
  readonly opened: ReadonlyMap<string, ReadonlySet<string>>;
  readonly threads: Threads;
  readonly shownTurn: string | undefined;
  readonly editor: LineRange | undefined;
}

/** The rows of all files. A file with unchanged inputs keeps the same row objects. */
export function useRows(given: Inputs): readonly Row[] {
  const { files, diffs, split, collapsed, opened, threads, shownTurn, editor } = given;
  const cache = useRef(new Map<string, RowInputs & { readonly rows: readonly Row[] }>());
  const { get, revision } = diffs;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision means that `get` returns something else
  return useMemo(() => {
    const all: Row[] = [];
    for (const file of files) {
      const diff = get(file);
      const isCollapsed = collapsed.has(file.id);
      const gaps = opened.get(file.id);
      const annotations = threads.of(file);
      const written = editor?.file === file.id ? editor : undefined;
      const known = cache.current.get(file.id);
      const isSame =
        known?.file === file &&
        known.diff === diff &&
        known.collapsed === isCollapsed &&
        known.opened === gaps &&
        known.editor === written &&
        known.split === split &&
        known.shownTurn === shownTurn &&
        areSame(known.annotations, annotations);
      if (isSame) {
        for (const row of known.rows) all.push(row);
        continue;
      }
      const inputs = {
        file,
        diff,
        collapsed: isCollapsed,
        split,
        opened: gaps,
        annotations,
        shownTurn,
        editor: written,
      };
      const rows = rowsOf(inputs);
      cache.current.set(file.id, { ...inputs, rows });
      for (const row of rows) all.push(row);
    }
    return all;
  }, [files, get, revision, split, collapsed, opened, threads, shownTurn, editor]);
}

function areSame(a: readonly Annotation[], b: readonly Annotation[]): boolean {
  return a.length === b.length && a.every((annotation, index) => annotation === b[index]);
}

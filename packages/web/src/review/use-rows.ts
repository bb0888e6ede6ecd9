import type { Annotation } from '@ahpd/protocol';
import { useMemo, useRef } from 'react';
import type { ReviewFile } from './file.js';
import { type LineRange, type Row, type RowInputs, rowsOf } from './rows.js';
import type { Diffs } from './use-diffs.js';

interface Inputs {
  readonly files: readonly ReviewFile[];
  readonly diffs: Diffs;
  readonly split: boolean;
  readonly collapsed: ReadonlySet<string>;
  readonly opened: ReadonlyMap<string, ReadonlySet<string>>;
  readonly annotations: readonly Annotation[];
  readonly editor: LineRange | undefined;
}

/** All rows of all files. Of a file whose inputs are the same the rows are the same objects. */
export function useRows({ files, diffs, split, collapsed, opened, annotations, editor }: Inputs): readonly Row[] {
  const cache = useRef(new Map<string, { inputs: RowInputs; rows: Row[] }>());
  const { get, revision } = diffs;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the revision says that `get` gives something else
  return useMemo(() => {
    const next = new Map<string, { inputs: RowInputs; rows: Row[] }>();
    const all: Row[] = [];
    for (const file of files) {
      const inputs: RowInputs = {
        file,
        diff: get(file),
        collapsed: collapsed.has(file.id),
        split,
        opened: opened.get(file.id),
        annotations,
        editor: editor?.file === file.id ? editor : undefined,
      };
      const before = cache.current.get(file.id);
      const entry = before && isSame(before.inputs, inputs) ? before : { inputs, rows: rowsOf(inputs) };
      next.set(file.id, entry);
      for (const row of entry.rows) all.push(row);
    }
    cache.current = next;
    return all;
  }, [files, get, revision, split, collapsed, opened, annotations, editor]);
}

function isSame(a: RowInputs, b: RowInputs): boolean {
  return (Object.keys(a) as (keyof RowInputs)[]).every((name) => a[name] === b[name]);
}

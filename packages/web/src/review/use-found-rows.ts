import { useEffect, useRef, useState } from 'react';
import type { ReviewFile } from './file.js';
import type { ReviewActions } from './review-actions.js';
import type { Row } from './rows.js';
import { type FoundLine, MAX_SEARCHED, useSearch } from './search.js';
import type { Reading } from './use-anchor.js';
import type { Diffs } from './use-diffs.js';

interface Inputs {
  readonly rows: readonly Row[];
  readonly files: readonly ReviewFile[];
  readonly diffs: Diffs;
  readonly opened: ReadonlyMap<string, ReadonlySet<string>>;
  readonly collapsed: ReadonlySet<string>;
  readonly actions: ReviewActions;
  readonly reading: Reading;
  readonly onCursor: (key: string) => void;
}

/** A search through the review, and the steps from one line that was found to the next. */
export function useFoundRows({ rows, files, diffs, opened, collapsed, actions, reading, onCursor }: Inputs) {
  const [query, setQuery] = useState('');
  const found = useSearch(query, files, diffs, opened);
  const [chosen, setChosen] = useState<FoundLine>();
  const at = found.findIndex(({ line }) => line === chosen?.line);
  const go = (goal: FoundLine | undefined) => {
    setChosen(goal);
    if (goal && collapsed.has(goal.file.id)) actions.foldFile(goal.file, false);
  };
  const first = found[0];
  // The first line is shown as soon as it is found, and again if what was chosen is gone.
  useEffect(() => {
    if (at < 0) setChosen(first);
  }, [at, first]);
  const latest = useRef({ reading, onCursor });
  latest.current = { reading, onCursor };
  const index = chosen && at >= 0 ? rows.findIndex((row) => isRowOf(row, chosen)) : -1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each line that is chosen, when it has a row
  useEffect(() => {
    const row = rows[index];
    if (!row) return;
    latest.current.reading.reveal(index);
    latest.current.onCursor(row.key);
  }, [chosen, index >= 0]);
  const missing = query === '' ? 0 : diffs.missing(files.slice(0, MAX_SEARCHED).filter(({ noDiff }) => !noDiff));
  const isCut = files.length > MAX_SEARCHED;
  return {
    query,
    found: found.length,
    active: at,
    note: missing > 0 ? 'searching' : isCut ? `in the first ${MAX_SEARCHED.toLocaleString('en')} files` : undefined,
    onQuery: setQuery,
    // If the current one is in a folded file, that is unfolded first.
    onStep: (by: 1 | -1) => go(at >= 0 && index < 0 ? found[at] : found.at((at + by) % Math.max(found.length, 1))),
  };
}

function isRowOf(row: Row, { line }: FoundLine): boolean {
  if (row.kind === 'line') return row.line === line;
  return row.kind === 'pair' && (row.left === line || row.right === line);
}

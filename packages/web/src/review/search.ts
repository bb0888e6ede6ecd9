import { createContext, useEffect, useMemo } from 'react';
import type { DiffLine } from '../diff/compute.js';
import type { ReviewFile } from './file.js';
import type { Diffs } from './use-diffs.js';

/** The text that is searched for; empty for none. */
export const SearchContext = createContext('');

export interface FoundLine {
  readonly file: ReviewFile;
  readonly line: DiffLine;
}

/** Files whose contents are read for a search. Those of thousands more would fill the browser's memory. */
export const MAX_SEARCHED = 2_000;

/**
 * The lines of all diffs that contain a text, in any case, also those of folded files. Contents are loaded for it, so it
 * grows while that goes on. Unchanged lines that are not shown are not searched.
 */
export function useSearch(
  query: string,
  files: readonly ReviewFile[],
  diffs: Diffs,
  opened: ReadonlyMap<string, ReadonlySet<string>>,
): readonly FoundLine[] {
  const { get, loadAlso, revision } = diffs;
  const searched = useMemo(() => (query === '' ? [] : files.slice(0, MAX_SEARCHED)), [query, files]);
  useEffect(() => loadAlso(searched), [loadAlso, searched]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision means that `get` returns something else
  return useMemo(() => {
    const wanted = query.toLowerCase();
    return searched.flatMap((file) => {
      const diff = get(file);
      if (diff?.kind !== 'lines') return [];
      return diff.sections(opened.get(file.id)).flatMap((section) => {
        if (section.kind === 'gap') return [];
        return section.lines.flatMap((line) => (line.text.toLowerCase().includes(wanted) ? { file, line } : []));
      });
    });
  }, [query, searched, get, revision, opened]);
}

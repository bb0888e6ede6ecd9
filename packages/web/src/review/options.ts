import { useCallback, useState } from 'react';

/** How the user likes to see changes. Kept in this browser. */
export interface ReviewOptions {
  readonly split: boolean;
  readonly ignoreWhitespace: boolean;
  readonly tree: boolean;
  /** Who wrote each line. */
  readonly blame: boolean;
}

const KEY = 'moorage.review';
const DEFAULTS: ReviewOptions = { split: false, ignoreWhitespace: false, tree: true, blame: false };

export function useReviewOptions(): readonly [ReviewOptions, (change: Partial<ReviewOptions>) => void] {
  const [options, setOptions] = useState(read);
  const change = useCallback((part: Partial<ReviewOptions>) => {
    setOptions((now) => {
      const next = { ...now, ...part };
      localStorage.setItem(KEY, JSON.stringify(next));
      return next;
    });
  }, []);
  return [options, change];
}

function read(): ReviewOptions {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<ReviewOptions>) };
  } catch {
    return DEFAULTS;
  }
}

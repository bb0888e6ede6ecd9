import type { Turn } from '@ahpd/protocol';
import { useState } from 'react';

/** Turns that are drawn at first: a conversation of thousands opens as fast as one of ten. */
const FIRST = 40;
const STEP = 50;

export function useTurnWindow(turns: readonly Turn[] | undefined) {
  const [shown, setShown] = useState(FIRST);
  const all = turns ?? [];
  const hidden = Math.max(0, all.length - shown);
  return { turns: all.slice(hidden), hidden, step: Math.min(hidden, STEP), showMore: () => setShown(shown + STEP) };
}

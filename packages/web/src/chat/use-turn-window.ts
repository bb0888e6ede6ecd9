import type { Turn } from '@ahpd/protocol';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Turns that are drawn at first: a conversation of thousands opens as fast as one of ten. */
const FIRST = 40;
const STEP = 50;

/** The turns that are drawn: the last ones for who follows, always the same first one for who reads further up. */
export function useTurnWindow(
  turns: readonly Turn[] | undefined,
  follows: boolean,
  box: RefObject<HTMLElement | null>,
) {
  const [shown, setShown] = useState(FIRST);
  const [held, setHeld] = useState<number>();
  const all = turns ?? [];
  const older = Math.max(0, all.length - shown);
  const hidden = follows ? older : Math.min(held ?? older, older);
  if (held !== (follows ? undefined : hidden)) setHeld(follows ? undefined : hidden);
  /** How far from the end the reader was when more was asked for. */
  const place = useRef<number>(undefined);
  const showMore = () => {
    if (box.current) place.current = box.current.scrollHeight - box.current.scrollTop;
    setHeld(Math.max(0, hidden - STEP));
    setShown(all.length - Math.max(0, hidden - STEP));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: when what was asked for is there
  useLayoutEffect(() => {
    if (box.current && place.current !== undefined) box.current.scrollTop = box.current.scrollHeight - place.current;
    place.current = undefined;
  }, [hidden]);
  return { turns: all.slice(hidden), hidden, step: Math.min(hidden, STEP), showMore };
}

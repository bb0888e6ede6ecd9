import type { Turn } from '@moorage/protocol';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Turns rendered at first, so that a conversation of thousands opens as fast as one of ten. */
const FIRST = 40;
const STEP = 50;

/** The turns to render: the last ones while the user is at the end; otherwise the first one stays fixed. */
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
  /** How far from the end the user was when more turns were requested. */
  const place = useRef<number>(undefined);
  const showMore = () => {
    if (box.current) place.current = box.current.scrollHeight - box.current.scrollTop;
    setHeld(Math.max(0, hidden - STEP));
    setShown(all.length - Math.max(0, hidden - STEP));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when more turns are rendered
  useLayoutEffect(() => {
    if (box.current && place.current !== undefined) box.current.scrollTop = box.current.scrollHeight - place.current;
    place.current = undefined;
  }, [hidden]);
  return { turns: all.slice(hidden), hidden, step: Math.min(hidden, STEP), showMore };
}

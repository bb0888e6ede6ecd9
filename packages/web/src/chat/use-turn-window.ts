import { loadEarlierTurns, type Mirror } from '@moorage/client';
import type { ChatState } from '@moorage/protocol';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useClient } from '../connection/context.js';
import { showFailure } from '../ui/toasts.js';

/** Turns rendered at first, so that a conversation of thousands opens as fast as one of ten. */
const FIRST = 40;
const STEP = 50;
/** Pixels from the top at which earlier turns are shown without being asked for. */
const NEAR_TOP = 200;
/** Turns above one that is shown on its own, so that it can be scrolled to without loading more. */
const BEFORE = 5;
/** Pages of earlier turns that are loaded to find one; further back, the conversation is shown from its end. */
const MAX_PAGES = 40;

/** Whether there are turns before those that are rendered. */
type Earlier = 'none' | 'some' | 'loading';

/**
 * The turns to render: the last ones while the user is at the end; otherwise the first one stays fixed. Earlier ones are
 * loaded from the host when all that are here are rendered.
 */
export function useTurnWindow(
  mirror: Mirror<'chat'> | undefined,
  state: ChatState | undefined,
  follows: boolean,
  box: RefObject<HTMLElement | null>,
) {
  const client = useClient();
  const [shown, setShown] = useState(FIRST);
  const [held, setHeld] = useState<string>();
  const [isLoading, setLoading] = useState(false);
  const all = state?.turns ?? [];
  const older = Math.max(0, all.length - shown);
  const heldAt = follows ? -1 : all.findIndex(({ id }) => id === held);
  const hidden = heldAt < 0 ? older : Math.min(heldAt, older);
  const first = all[hidden]?.id;
  if (held !== (follows ? undefined : first)) setHeld(follows ? undefined : first);
  /** How far from the end the user was when more turns were requested. */
  const place = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when more turns are rendered
  useLayoutEffect(() => {
    if (box.current && place.current !== undefined) box.current.scrollTop = box.current.scrollHeight - place.current;
    place.current = undefined;
  }, [first]);

  const isBusy = useRef(false);
  const earlier: Earlier = isLoading ? 'loading' : hidden > 0 || state?.turnsNextCursor !== undefined ? 'some' : 'none';
  const show = async () => {
    if (!mirror || earlier === 'none' || isBusy.current) return;
    isBusy.current = true;
    try {
      if (hidden === 0) {
        setLoading(true);
        await loadEarlierTurns(client, mirror);
      }
      const { turns } = mirror.optimistic;
      const start = Math.max(0, turns.findIndex(({ id }) => id === first) - STEP);
      if (box.current) place.current = box.current.scrollHeight - box.current.scrollTop;
      setHeld(turns[start]?.id);
      setShown(turns.length - start);
    } finally {
      isBusy.current = false;
      setLoading(false);
    }
  };
  /** Draws a turn, which may have to be loaded; false if there is none with this id among the newest ones. */
  const showTurn = async (id: string): Promise<boolean> => {
    if (!mirror) return false;
    const at = () => mirror.optimistic.turns.findIndex((turn) => turn.id === id);
    for (let pages = 0; pages < MAX_PAGES && at() < 0; pages++) {
      if (mirror.optimistic.turnsNextCursor === undefined) return false;
      await loadEarlierTurns(client, mirror);
    }
    const { turns } = mirror.optimistic;
    const start = Math.max(0, at() - BEFORE);
    if (at() < 0) return false;
    setHeld(turns[start]?.id);
    setShown((now) => Math.max(now, turns.length - start));
    return true;
  };
  /** After a failure only the button tries again, or scrolling would repeat the message. */
  const hasFailed = useRef(false);
  const showEarlier = () => {
    hasFailed.current = false;
    const showing = show();
    showing.catch(() => {
      hasFailed.current = true;
    });
    showFailure(showing);
  };
  const onScroll = () => {
    if (box.current && box.current.scrollTop < NEAR_TOP && !follows && !hasFailed.current) showEarlier();
  };
  return { turns: all.slice(hidden), earlier, showEarlier, showTurn, onScroll };
}

import { type RefObject, useEffect, useRef } from 'react';

interface Follow {
  readonly ref: RefObject<HTMLElement | null>;
  readonly leave: () => void;
  readonly onScroll: () => void;
}

/** Shows a turn of the conversation instead of its end, once for each that is wanted. */
export function useWantedTurn(
  turn: string | undefined,
  isLoaded: boolean,
  follow: Follow,
  showTurn: (id: string) => Promise<boolean>,
): void {
  const show = useRef(showTurn);
  show.current = showTurn;
  const { ref, leave, onScroll } = follow;
  useEffect(() => {
    if (turn === undefined || !isLoaded) return;
    let isWanted = true;
    const begin = async () => {
      if (!(await show.current(turn)) || !isWanted) return;
      leave();
      // Once it is drawn.
      requestAnimationFrame(() => {
        const found = ref.current?.querySelector<HTMLElement>(`[data-turn="${CSS.escape(turn)}"]`);
        found?.scrollIntoView({ block: 'start' });
        onScroll(); // a short conversation is at its end all the same
      });
    };
    void begin().catch(() => undefined); // the conversation is shown from its end
    return () => {
      isWanted = false;
    };
  }, [turn, isLoaded, ref, leave, onScroll]);
}

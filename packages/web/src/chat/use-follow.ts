import { useCallback, useLayoutEffect, useRef, useState } from 'react';

/** Pixels from the end that still count as being there. */
const NEAR_END = 48;

/** Follows what is added at the end, but only while the reader is there. */
export function useFollow(content: unknown) {
  const ref = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const lastTop = useRef(0);
  const [atEnd, setAtEnd] = useState(true);
  const toEnd = useCallback(() => {
    following.current = true;
    setAtEnd(true);
    const box = ref.current;
    if (box) box.scrollTop = box.scrollHeight;
  }, []);
  const onScroll = useCallback(() => {
    const box = ref.current;
    if (!box) return;
    const near = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END;
    // Only who goes up leaves the end: what grows below between a scroll and its event must not count as that.
    if (near) following.current = true;
    else if (box.scrollTop < lastTop.current - 1) following.current = false;
    lastTop.current = box.scrollTop;
    setAtEnd(following.current);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there is something new to see
  useLayoutEffect(() => {
    const box = ref.current;
    if (box && following.current) box.scrollTop = box.scrollHeight;
  }, [content]);
  // Diffs and pictures come later than the message that shows them, and what is above or below may take room.
  useLayoutEffect(() => {
    const box = ref.current;
    const column = box?.firstElementChild;
    if (!column) return;
    const observer = new ResizeObserver(() => {
      if (following.current) box.scrollTop = box.scrollHeight;
    });
    observer.observe(box);
    observer.observe(column);
    return () => observer.disconnect();
  });
  return { ref, atEnd, toEnd, onScroll };
}

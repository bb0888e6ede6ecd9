import { useCallback, useLayoutEffect, useRef, useState } from 'react';

/** Pixels from the end that still count as the end. */
const NEAR_END = 48;

/** Scrolls along with new content, but only while the user is at the end. */
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
  /** Stays where it is while content is added. */
  const leave = useCallback(() => {
    following.current = false;
    setAtEnd(false);
  }, []);
  const onScroll = useCallback(() => {
    const box = ref.current;
    if (!box) return;
    const near = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END;
    // Only scrolling up leaves the end. Content that is added between a scroll and its event must not count as that.
    if (near) following.current = true;
    else if (box.scrollTop < lastTop.current - 1) following.current = false;
    lastTop.current = box.scrollTop;
    setAtEnd(following.current);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the content changes
  useLayoutEffect(() => {
    const box = ref.current;
    if (box && following.current) box.scrollTop = box.scrollHeight;
  }, [content]);
  // Diffs and pictures load after the message that shows them, and other parts of the page may change size.
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
  return { ref, atEnd, toEnd, leave, onScroll };
}

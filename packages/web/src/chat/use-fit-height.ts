import { type RefObject, useEffect, useLayoutEffect } from 'react';

/** Keeps a text area as high as its text, also when it becomes visible or its lines break differently. */
export function useFitHeight(box: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the text changes
  useLayoutEffect(() => fit(box.current), [box, text]);
  useEffect(() => {
    const area = box.current;
    if (!area) return;
    const observer = new ResizeObserver(() => fit(area));
    observer.observe(area);
    return () => observer.disconnect();
  }, [box]);
}

function fit(area: HTMLTextAreaElement | null): void {
  if (!area) return;
  area.style.height = 'auto';
  // While hidden, the area has no height; the observer runs this again when it is shown.
  if (area.scrollHeight > 0) area.style.height = `${area.scrollHeight}px`;
}

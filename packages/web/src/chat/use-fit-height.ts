import { type RefObject, useEffect, useLayoutEffect } from 'react';

/** Makes a text area as high as its text, also when it comes into view or its lines break differently. */
export function useFitHeight(box: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the text is another
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
  // What is not shown has no height; it gets one when it is.
  if (area.scrollHeight > 0) area.style.height = `${area.scrollHeight}px`;
}

/** Whether an element could be clicked now: it is shown, not scrolled away and not covered. */
export function isReachable(element: Element | null | undefined): boolean {
  if (!element) return false;
  const { left, top, width, height } = element.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  return width > 0 && found !== null && element.contains(found);
}

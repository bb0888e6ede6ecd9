/**
 * Keeps a text for this tab, so that a reload does not lose it; an empty one takes it away. Where the browser has no room
 * for it, it lives as long as the page does.
 */
export function keepInTab(key: string, value: string): void {
  try {
    if (value) sessionStorage.setItem(key, value);
    else sessionStorage.removeItem(key);
  } catch {
    // Full, or switched off.
  }
}

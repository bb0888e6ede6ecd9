/**
 * Keeps a text for this tab, so that it survives a reload; an empty text removes it. If the browser has no room for it, the
 * text is lost with a reload.
 */
export function keepInTab(key: string, value: string): void {
  try {
    if (value) sessionStorage.setItem(key, value);
    else sessionStorage.removeItem(key);
  } catch {
    // Full, or switched off.
  }
}

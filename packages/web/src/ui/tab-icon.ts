const PLAIN = '/icon.svg';

/** Shows a number on the tab's icon; none for 0. */
export function showOnTabIcon(count: number): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!link) return;
  const next = count === 0 ? PLAIN : `data:image/svg+xml,${encodeURIComponent(badgeOf(count))}`;
  if (link.getAttribute('href') !== next) link.setAttribute('href', next);
}

/** Filling the icon, because in a tab it is hardly larger than a letter. */
function badgeOf(count: number): string {
  const text = count > 9 ? '9+' : String(count);
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="#b45309"/>' +
    '<text x="16" y="23" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="700" ' +
    `font-size="20" fill="#fff">${text}</text></svg>`
  );
}

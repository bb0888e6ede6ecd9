/**
 * Whether a host answers at all. Browsers do not say why a WebSocket was refused; this distinguishes a wrong token from an
 * unreachable host. Of another origin, a page can see only that it answered, which is enough.
 */
export async function hostAnswers(url = '/'): Promise<boolean> {
  try {
    const target = new URL('/readyz', new URL(url, location.href));
    const own = target.origin === location.origin;
    const response = await fetch(target, { cache: 'no-store', ...(!own && { mode: 'no-cors', credentials: 'omit' }) });
    return response.ok || response.type === 'opaque';
  } catch {
    return false;
  }
}

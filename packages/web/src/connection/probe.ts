/**
 * Whether a host answers at all. A page is not told why a WebSocket was refused; this tells a wrong token from no host. Of
 * another origin nothing but that it answered can be seen, and that is enough.
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

/**
 * When a token expires, in milliseconds since the epoch, if it is a JWT with an `exp` claim. The signature is not
 * verified: whether a token is valid is for the resource to decide.
 */
export function expiryOf(token: string): number | undefined {
  const [, claims, signature] = token.split('.');
  if (claims === undefined || signature === undefined) return undefined;
  try {
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as { exp?: unknown };
    return typeof exp === 'number' && Number.isFinite(exp) && exp > 0 ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}

import type { AuthenticateParams } from '@moorage/protocol';

/** When a token that was given now expires: when its client or the token itself says so, whatever is earlier. */
export function tokenExpiry({ token, expiresIn }: AuthenticateParams, now: number): number | undefined {
  const said = expiresIn === undefined ? [] : [now + expiresIn * 1000];
  const ends = [...said, expiryOf(token) ?? []].flat();
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/**
 * When a token expires, in milliseconds since the epoch, if it is a JWT with an `exp` claim. The signature is not
 * verified: whether a token is valid is for the resource to decide.
 */
function expiryOf(token: string): number | undefined {
  const [, claims, signature] = token.split('.');
  if (claims === undefined || signature === undefined) return undefined;
  try {
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as { exp?: unknown };
    return typeof exp === 'number' && Number.isFinite(exp) && exp > 0 ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}

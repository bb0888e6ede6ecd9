import type { URI } from '@ahpd/protocol';

/** A session URI that a client may choose: ours, or another scheme's that older clients use, with an id of one segment. */
export function isSessionUri(uri: URI): boolean {
  return /^[a-z][a-z0-9+.-]*:\/[^/?#\s]+$/i.test(uri) && !RESERVED.test(uri);
}

const RESERVED = /^(ahp-(?!session:)|mcp:|file:|https?:|data:)/i;

import { parseSessionUri, type URI } from '@ahpd/protocol';

/** A session URI that a client may choose: ours, or another scheme's that older clients use, with an id of one segment. */
export function isSessionUri(uri: URI): boolean {
  return parseSessionUri(uri) !== undefined && !RESERVED.test(uri);
}

const RESERVED = /^(ahp-(?!session:)|mcp:|file:|https?:|data:)/i;

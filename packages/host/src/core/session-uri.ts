import { parseSessionUri, type URI } from '@moorage/protocol';

/** Whether a client may choose this URI for a session: our scheme, or one that older clients use, with a one-segment id. */
export function isSessionUri(uri: URI): boolean {
  return parseSessionUri(uri) !== undefined && !RESERVED.test(uri);
}

const RESERVED = /^(ahp-(?!session:)|mcp:|file:|https?:|data:)/i;

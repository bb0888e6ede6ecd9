import type { ResourceReadResult } from '@moorage/protocol';

/** Encodes content for `resourceRead`: text if it is valid UTF-8 and base64 was not requested, else base64. */
export function encodeContent(content: Uint8Array, encoding?: ResourceReadResult['encoding']): ResourceReadResult {
  if (encoding !== 'base64') {
    try {
      return { data: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content), encoding: 'utf-8' };
    } catch {
      // not text: base64 below
    }
  }
  return { data: Buffer.from(content).toString('base64'), encoding: 'base64' };
}

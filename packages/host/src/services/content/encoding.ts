import type { ResourceReadResult } from '@ahpd/protocol';

/** Content as `resourceRead` gives it: text where it is valid UTF-8 and nobody asked otherwise, else base64. */
export function encodeContent(content: Uint8Array, encoding?: ResourceReadResult['encoding']): ResourceReadResult {
  if (encoding !== 'base64') {
    try {
      return { data: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content), encoding: 'utf-8' };
    } catch {
      // not text: said below
    }
  }
  return { data: Buffer.from(content).toString('base64'), encoding: 'base64' };
}

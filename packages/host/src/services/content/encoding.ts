import type { ContentEncoding, ResourceReadResult } from '@moorage/protocol';

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

/** Content as it was stored, in the requested encoding; bytes that are not text are always base64. */
export function inEncoding(content: ResourceReadResult, encoding: ContentEncoding | undefined): ResourceReadResult {
  if (encoding !== 'base64' || content.encoding === 'base64') return content;
  return { ...content, data: Buffer.from(content.data).toString('base64'), encoding };
}

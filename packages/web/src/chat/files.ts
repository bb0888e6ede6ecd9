import type { MessageAttachment } from '@moorage/protocol';

/** Bytes of one attached file. It is sent inside a protocol message, whose size hosts limit. */
const MAX_BYTES = 5 * 1024 * 1024;
/** Bytes of all files in one message. Base64 adds a third, and moorage accepts 16 MiB at once. */
const MAX_TOTAL_BYTES = 10 * 1024 * 1024;

/** Reads files as attachments for a message that has `others` already. Rejects if they are too large. */
export function attachmentsFrom(
  files: Iterable<File>,
  others: readonly MessageAttachment[],
): Promise<MessageAttachment[]> {
  let total = sizeOfAll(others);
  const fitting = [...files];
  for (const { name, size } of fitting) {
    if (size > MAX_BYTES) throw new Error(`${name} is larger than 5 MB`);
    total += size;
    if (total > MAX_TOTAL_BYTES) throw new Error(`With ${name}, the files of this message exceed 10 MB`);
  }
  return Promise.all(fitting.map(attachmentOf));
}

/** Whether these attachments fit into one message. */
export function fitTogether(attachments: readonly MessageAttachment[]): boolean {
  return sizeOfAll(attachments) <= MAX_TOTAL_BYTES;
}

function sizeOfAll(attachments: readonly MessageAttachment[]): number {
  const sizes = attachments.map((each) => (each.type === 'embeddedResource' ? (each.data.length * 3) / 4 : 0));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function attachmentOf(file: File): Promise<MessageAttachment> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const picture = file.type.startsWith('image/');
  return {
    type: 'embeddedResource',
    label: file.name || (picture ? 'Pasted picture' : 'Pasted file'),
    contentType: file.type || 'application/octet-stream',
    data: base64(bytes),
    displayKind: picture ? 'image' : 'document',
  };
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

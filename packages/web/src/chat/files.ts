import type { MessageAttachment } from '@ahpd/protocol';

/** Bytes of one attached file. They travel in a message of the protocol, which hosts bound. */
const MAX_BYTES = 5 * 1024 * 1024;

/** Files as attachments of a message, with their contents. */
export function attachmentsFrom(files: Iterable<File>): Promise<MessageAttachment[]> {
  return Promise.all([...files].map(attachmentOf));
}

async function attachmentOf(file: File): Promise<MessageAttachment> {
  if (file.size > MAX_BYTES) throw new Error(`${file.name} is larger than 5 MB`);
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

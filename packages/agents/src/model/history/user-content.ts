import { fileURLToPath } from 'node:url';
import { AgentFileError, type AgentFiles } from '@moorage/host/ports';
import type { Message, MessageAttachment } from '@moorage/protocol';
import type { UserContent } from 'ai';
import { decodeText } from '../../shared/files/content.js';
import { MAX_IMAGE_BYTES, MAX_RESULT_CHARS } from '../limits.js';
import { cutMiddle } from '../tools/cut.js';

type Part = Exclude<UserContent, string>[number];

/** A user's message with its attachments, as the model gets it. */
export async function userContent(message: Message, files: AgentFiles): Promise<Part[]> {
  const attached = await Promise.all((message.attachments ?? []).map((attachment) => partOf(attachment, files)));
  const text: Part[] = message.text.trim() === '' ? [] : [{ type: 'text', text: message.text }];
  const parts = [...attached, ...text];
  return parts.length > 0 ? parts : [{ type: 'text', text: '(an empty message)' }];
}

async function partOf(attachment: MessageAttachment, files: AgentFiles): Promise<Part> {
  switch (attachment.type) {
    case 'simple':
      return named(attachment.label, attachment.modelRepresentation ?? '(no content)');
    case 'embeddedResource': {
      const { label, contentType, data } = attachment;
      return bytesPart(label, Buffer.from(data, 'base64'), contentType);
    }
    case 'resource':
      return resourcePart(attachment, files);
    case 'annotations':
      return named(attachment.label, `Annotations of ${attachment.resource}`);
    case 'chat':
      return named(attachment.label, `The conversation ${attachment.resource}`);
  }
}

async function resourcePart(
  { label, uri, contentType, selection }: Extract<MessageAttachment, { type: 'resource' }>,
  files: AgentFiles,
): Promise<Part> {
  const lines = selection && `lines ${selection.range.start.line + 1} to ${selection.range.end.line + 1} of `;
  if (!uri.startsWith('file:')) return named(label, `(${lines ?? ''}${uri}, which this agent cannot read)`);
  try {
    const { content } = await files.read(fileURLToPath(uri), MAX_IMAGE_BYTES);
    if (!content) return named(label, `(${uri} does not exist)`);
    return bytesPart(lines ? `${lines}${label}` : label, content.bytes, contentType ?? imageType(uri));
  } catch (error) {
    const why = error instanceof AgentFileError ? error.message : 'it is no address of a file';
    return named(label, `(${uri} cannot be read: ${why})`);
  }
}

function bytesPart(label: string, bytes: Uint8Array, contentType: string | undefined): Part {
  if (contentType !== undefined && IMAGE_TYPES.has(contentType)) {
    if (bytes.length > MAX_IMAGE_BYTES) return named(label, '(an image that is too large to be sent)');
    return { type: 'file', data: bytes, mediaType: contentType, filename: label };
  }
  const text = decodeText(bytes);
  return named(
    label,
    text === undefined ? `(${bytes.length} bytes that are no text)` : cutMiddle(text, MAX_RESULT_CHARS),
  );
}

/** The images that common models can see. Others are sent as text, if they are text. */
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

function named(label: string, text: string): Part {
  return { type: 'text', text: `<attachment name=${JSON.stringify(label)}>\n${text}\n</attachment>` };
}

function imageType(uri: string): string | undefined {
  const ending = /\.(png|jpe?g|gif|webp)$/i.exec(uri)?.[1]?.toLowerCase();
  return ending && `image/${ending === 'jpg' ? 'jpeg' : ending}`;
}

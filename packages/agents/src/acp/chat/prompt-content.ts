import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { Message, MessageAttachment } from '@moorage/protocol';
import { type Fields, fields } from '../../shared/untrusted.js';

/** A user's message as content blocks of the kinds that the agent takes. */
export function promptContent(message: Message, capabilities: Fields): ContentBlock[] {
  const accepts = fields(capabilities.promptCapabilities);
  const attachments = message.attachments ?? [];
  return [
    ...(message.text === '' && attachments.length > 0 ? [] : [{ type: 'text' as const, text: message.text }]),
    ...attachments.map((attachment) => block(attachment, accepts)),
  ];
}

function block(attachment: MessageAttachment, accepts: Fields): ContentBlock {
  const { label } = attachment;
  switch (attachment.type) {
    case 'simple':
      return { type: 'text', text: attachment.modelRepresentation ?? label };
    case 'resource': {
      const { uri, contentType, selection } = attachment;
      if (selection) return { type: 'text', text: `${label} (${uri}, ${place(selection.range)})` };
      return { type: 'resource_link', name: label, uri, ...(contentType && { mimeType: contentType }) };
    }
    case 'annotations': {
      const ids = attachment.annotationIds?.join(', ');
      return { type: 'text', text: `${label} (annotations ${ids ?? 'of'} ${attachment.resource})` };
    }
    case 'chat':
      return { type: 'text', text: `${label} (the conversation ${attachment.resource})` };
    case 'embeddedResource': {
      const { data, contentType } = attachment;
      if (contentType.startsWith('image/') && accepts.image) return { type: 'image', data, mimeType: contentType };
      if (contentType.startsWith('audio/') && accepts.audio) return { type: 'audio', data, mimeType: contentType };
      return embedded(label, data, contentType, accepts);
    }
  }
}

function embedded(label: string, data: string, mimeType: string, accepts: Fields): ContentBlock {
  const uri = `attachment:///${encodeURIComponent(label)}`;
  const isText = mimeType.startsWith('text/') || /json|xml|yaml|javascript/.test(mimeType);
  if (isText) {
    const text = Buffer.from(data, 'base64').toString();
    if (accepts.embeddedContext) return { type: 'resource', resource: { uri, mimeType, text } };
    return { type: 'text', text: `${label}:\n${text}` };
  }
  if (accepts.embeddedContext) return { type: 'resource', resource: { uri, mimeType, blob: data } };
  return { type: 'text', text: `${label} (${mimeType}): this agent cannot take attachments of this kind.` };
}

function place(range: { start: { line: number }; end: { line: number } }): string {
  return `lines ${range.start.line + 1} to ${range.end.line + 1}`;
}

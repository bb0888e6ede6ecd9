import {
  annotationsUri,
  ExtensionMeta,
  type Message,
  type MessageAttachment,
  primaryDirectory,
  type Turn,
} from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import { asTranscript } from '../content/attached-chat.js';
import { withContents } from '../content/attachments.js';
import type { ContentService } from '../content/content-service.js';
import { decoded } from '../decoded.js';
import type { AnnotationService } from './annotation-service.js';
import { asText, renderComments } from './render.js';

/** What the attachments of a message are read from. */
export interface AttachmentSources {
  readonly annotations: AnnotationService;
  readonly contents: ContentService;
}

/** A message in the form agents get it: comments and conversations written out as text, stored contents included, and nothing repeated. */
export function messageForAgent(message: Message, session: Channel<'session'>, sources: AttachmentSources): Message {
  if (!message.attachments?.length) return message;
  const attachments = message.attachments
    .filter(({ _meta }) => _meta?.[ExtensionMeta.command] === undefined) // only names what the text has
    .map((attachment) => attachmentForAgent(withContents(attachment, sources.contents), session, sources));
  return { ...message, attachments };
}

/** Earlier turns in the form agents get them. */
export function historyForAgent(
  turns: readonly Turn[],
  session: Channel<'session'>,
  sources: AttachmentSources,
): readonly Turn[] {
  if (!turns.some(({ message }) => message.attachments?.length)) return turns;
  return turns.map((turn) => ({ ...turn, message: messageForAgent(turn.message, session, sources) }));
}

function attachmentForAgent(
  attachment: MessageAttachment,
  session: Channel<'session'>,
  { annotations, contents }: AttachmentSources,
): MessageAttachment {
  if (attachment.type === 'chat') return asTranscript(attachment, contents.chat(attachment.resource));
  if (attachment.type !== 'annotations') return attachment;
  if (attachment.resource !== annotationsUri(session.uri)) {
    return asText(attachment, '(comments of another session, which cannot be read here)');
  }
  const wanted = attachment.annotationIds && new Set(attachment.annotationIds);
  const all = annotations.of(session.uri);
  const comments = all
    .filter(({ annotation }) => wanted?.has(annotation.id) ?? true)
    .map(({ annotation, followed }) => ({ annotation, quote: followed?.quote }));
  if (comments.length === 0) return asText(attachment, '(the comments no longer exist)');
  const folder = `${primaryDirectory(session.state)?.replace(/\/$/, '') ?? ''}/`;
  return asText(
    attachment,
    renderComments(comments, (uri) => shownPath(uri, folder)),
  );
}

function shownPath(uri: string, folder: string): string {
  return decoded(uri.startsWith(folder) ? uri.slice(folder.length) : uri);
}

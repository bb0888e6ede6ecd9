import type { Message, MessageAttachment, StateAction, URI } from '@moorage/protocol';
import type { Channel } from '../../core/channel.js';
import { pinned } from './attached-chat.js';
import type { ContentService } from './content-service.js';

/** UTF-16 units of an attachment's base64 that stay in state. More is kept beside it: every snapshot has all of state. */
const MAX_INLINE_CHARS = 32 * 1024;

/**
 * A client's action, with what its message brings along moved to the content store if it is large, and with the ends of
 * attached conversations.
 */
export function withStoredAttachments(
  { keeping }: Channel,
  action: StateAction,
  contents: ContentService,
): StateAction {
  if (keeping.kind !== 'durable') return action;
  const { session } = keeping;
  switch (action.type) {
    case 'chat/turnStarted':
    case 'chat/pendingMessageSet': {
      const message = storeAttachments(withPinnedChats(action.message, contents), session, contents);
      return message === action.message ? action : { ...action, message };
    }
    case 'chat/draftChanged':
      return action.draft ? { ...action, draft: storeAttachments(action.draft, session, contents) } : action;
    case 'chat/toolCallConfirmed': {
      if (action.approved || !action.userSuggestion) return action;
      return { ...action, userSuggestion: storeAttachments(action.userSuggestion, session, contents) };
    }
    default:
      return action;
  }
}

export function storeAttachments(message: Message, session: URI, contents: ContentService): Message {
  if (!message.attachments?.some(isLarge)) return message;
  const attachments = message.attachments.map((attachment) => {
    if (!isLarge(attachment)) return attachment;
    const { type: _type, data, contentType, ...others } = attachment;
    const stored = contents.store(session, Buffer.from(data, 'base64'), contentType);
    return { ...others, type: 'resource' as const, ...stored };
  });
  return { ...message, attachments };
}

/** A message that is sent, with where the conversations that it brings along end. */
function withPinnedChats(message: Message, contents: ContentService): Message {
  if (!message.attachments?.some(({ type }) => type === 'chat')) return message;
  const attachments = message.attachments.map((attachment) =>
    attachment.type === 'chat' ? pinned(attachment, contents.chat(attachment.resource)) : attachment,
  );
  return { ...message, attachments };
}

/** The reverse, for agents: they cannot read the content store. */
export function withContents(attachment: MessageAttachment, contents: ContentService): MessageAttachment {
  if (attachment.type !== 'resource' || !contents.isContent(attachment.uri)) return attachment;
  const { type: _type, uri, sizeHint: _sizeHint, contentType, ...others } = attachment;
  const content = contents.find(uri, 'base64');
  if (!content) return attachment;
  const type = contentType ?? content.contentType ?? 'application/octet-stream';
  return { ...others, type: 'embeddedResource', data: content.data, contentType: type };
}

function isLarge(
  attachment: MessageAttachment,
): attachment is Extract<MessageAttachment, { type: 'embeddedResource' }> {
  return attachment.type === 'embeddedResource' && attachment.data.length > MAX_INLINE_CHARS;
}

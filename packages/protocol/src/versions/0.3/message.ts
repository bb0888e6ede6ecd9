import type { MessageAttachment } from '../../channels/chat/attachment.js';
import type { Message } from '../../channels/chat/message.js';
import type { PendingMessage } from '../../channels/chat/pending-message.js';
import type { ResponsePart } from '../../channels/chat/response-part.js';
import type { ActiveTurn, Turn } from '../../channels/chat/turn.js';
import type { ErrorInfo } from '../../common/error-info.js';
import { type WireObject, without } from '../shared/wire.js';

/** Only the kinds of origin and attachment that 0.3 knows; nothing of what later versions add to a message. */
export function message(native: Message): WireObject {
  const { text, origin, attachments, _meta } = native;
  const kind = origin?.kind === 'agent' || origin?.kind === 'tool' ? 'systemNotification' : origin?.kind;
  return {
    text,
    origin: { kind },
    ...(attachments && { attachments: attachments.map(attachment) }),
    ...(_meta && { _meta }),
  };
}

export function attachment(native: MessageAttachment): WireObject {
  if (native.type !== 'annotations') return native;
  const { label, range, displayKind, _meta, annotationIds } = native;
  const count = annotationIds ? `${annotationIds.length} annotation(s)` : 'all annotations';
  return {
    type: 'simple',
    label,
    ...(range && { range }),
    ...(displayKind !== undefined && { displayKind }),
    modelRepresentation: `${label}: ${count} of ${native.resource}`,
    ...(_meta && { _meta }),
  };
}

export function turn(native: Turn): WireObject {
  const { error } = native;
  return { ...activeTurn(native), ...(error && { error: errorInfo(error) }) };
}

export function activeTurn(native: Turn | ActiveTurn): WireObject {
  return { ...native, message: message(native.message), responseParts: native.responseParts.map(responsePart) };
}

export function pendingMessage(native: PendingMessage): WireObject {
  return { ...native, message: message(native.message) };
}

export function responsePart(native: ResponsePart): WireObject {
  if (native.kind !== 'toolCall' || native.toolCall.status !== 'cancelled') return native;
  const { userSuggestion } = native.toolCall;
  if (!userSuggestion) return native;
  return { ...native, toolCall: { ...native.toolCall, userSuggestion: message(userSuggestion) } };
}

export function errorInfo(native: ErrorInfo): WireObject {
  return without(native, '_meta');
}

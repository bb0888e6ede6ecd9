import { ExtensionMeta } from '../../common/extension-meta.js';
import { lenient } from '../../validation/index.js';
import { type Message, MessageSchema } from './message.js';
import type { ResponsePart, SystemNotificationResponsePart } from './response-part.js';

/** A message that steered a turn, as the turn keeps it. */
export interface Steering {
  readonly id: string;
  readonly message: Message;
}

/**
 * The part of a turn that says what the user said meanwhile. The protocol has no such part: clients that do not know
 * its `_meta` show the words as a notification.
 */
export function steeringPart({ id, message }: Steering): SystemNotificationResponsePart {
  const part = {
    kind: 'systemNotification' as const,
    content: `Steering: ${message.text}`,
    _meta: { [ExtensionMeta.steering]: { id, message } },
  };
  return part;
}

export function steeringOf(part: ResponsePart): Steering | undefined {
  const { _meta } = part as { readonly _meta?: Readonly<Record<string, unknown>> };
  const steering = _meta?.[ExtensionMeta.steering];
  if (part.kind !== 'systemNotification' || typeof steering !== 'object' || steering === null) return undefined;
  const { id, message } = steering as Record<string, unknown>;
  if (typeof id !== 'string' || !lenient(MessageSchema).check(message)) return undefined;
  return { id, message: message as Message };
}

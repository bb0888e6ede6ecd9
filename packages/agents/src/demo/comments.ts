import { ExtensionMeta, type Message } from '@moorage/protocol';

/** The comments on code that are attached to a message, as text written by the host. */
export function commentsIn({ attachments = [] }: Message): string[] {
  return attachments.flatMap((attachment) =>
    attachment.type === 'simple' && attachment._meta?.[ExtensionMeta.comments]
      ? [attachment.modelRepresentation ?? '']
      : [],
  );
}

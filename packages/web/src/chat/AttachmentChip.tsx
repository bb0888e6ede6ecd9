import type { MessageAttachment } from '@ahpd/protocol';
import { Icon } from '../ui/Icon.js';
import { visible } from '../ui/visible.js';

interface Props {
  readonly attachment: MessageAttachment;
  readonly onRemove?: (() => void) | undefined;
}

export function AttachmentChip({ attachment, onRemove }: Props) {
  return (
    <span className="chip">
      {isPicture(attachment) ? (
        <img src={`data:${attachment.contentType};base64,${attachment.data}`} alt="" />
      ) : (
        <Icon name={attachment.type === 'annotations' ? 'comment' : 'file'} />
      )}
      <bdi title={titleOf(attachment)}>{visible(attachment.label)}</bdi>
      {onRemove && (
        <button type="button" className="icon-button" aria-label={`Remove ${attachment.label}`} onClick={onRemove}>
          <Icon name="close" />
        </button>
      )}
    </span>
  );
}

function isPicture(attachment: MessageAttachment): attachment is MessageAttachment & { type: 'embeddedResource' } {
  return attachment.type === 'embeddedResource' && /^image\/(?:png|jpeg|gif|webp)$/.test(attachment.contentType);
}

function titleOf({ _meta }: MessageAttachment): string | undefined {
  return typeof _meta?.path === 'string' ? visible(_meta.path) : undefined;
}

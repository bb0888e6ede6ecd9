import type { MessageAttachment } from '@ahpd/protocol';
import { Icon } from '../ui/Icon.js';
import { IconButton } from '../ui/IconButton.js';
import { pictureOf } from '../ui/picture.js';
import { visible } from '../ui/visible.js';

interface Props {
  readonly attachment: MessageAttachment;
  readonly onRemove?: (() => void) | undefined;
}

export function AttachmentChip({ attachment, onRemove }: Props) {
  const picture =
    attachment.type === 'embeddedResource' ? pictureOf(attachment.contentType, attachment.data) : undefined;
  return (
    <span className="chip">
      {picture ? <img src={picture} alt="" /> : <Icon name={attachment.type === 'annotations' ? 'comment' : 'file'} />}
      <bdi title={titleOf(attachment)}>{visible(attachment.label)}</bdi>
      {onRemove && <IconButton icon="close" label={`Remove ${visible(attachment.label)}`} onClick={onRemove} />}
    </span>
  );
}

function titleOf({ _meta }: MessageAttachment): string | undefined {
  return typeof _meta?.path === 'string' ? visible(_meta.path) : undefined;
}

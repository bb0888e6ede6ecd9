import { ExtensionMeta, type MessageAttachment } from '@moorage/protocol';
import { useEffect, useState } from 'react';
import { useClient } from '../connection/context.js';
import { Dialog } from '../ui/Dialog.js';
import { Icon } from '../ui/Icon.js';
import { IconButton } from '../ui/IconButton.js';
import { pictureOf } from '../ui/picture.js';
import { visible } from '../ui/visible.js';

interface Props {
  readonly attachment: MessageAttachment;
  readonly onRemove?: (() => void) | undefined;
}

export function AttachmentChip({ attachment, onRemove }: Props) {
  const picture = usePicture(attachment);
  const label = visible(attachment.label);
  const [open, setOpen] = useState(false);
  return (
    <span className="chip">
      {picture ? (
        <button type="button" className="chip-picture" aria-label={`Open ${label}`} onClick={() => setOpen(true)}>
          <img src={picture} alt="" />
        </button>
      ) : (
        <Icon name={attachment.type === 'annotations' ? 'comment' : 'file'} />
      )}
      <bdi title={titleOf(attachment)}>{label}</bdi>
      {onRemove && <IconButton icon="close" label={`Remove ${label}`} onClick={onRemove} />}
      {open && picture && (
        <Dialog title={label} className="wide picture-dialog" onClose={() => setOpen(false)}>
          <img src={picture} alt={label} />
        </Dialog>
      )}
    </span>
  );
}

/** The picture itself, also one that the host keeps beside the chat; undefined for anything else. */
function usePicture(attachment: MessageAttachment): string | undefined {
  const client = useClient();
  const [loaded, setLoaded] = useState<string>();
  const isStored = attachment.type === 'resource' && attachment.uri.startsWith('ahp-content:');
  const uri = isStored && pictureOf(attachment.contentType, '') !== undefined ? attachment.uri : undefined;
  useEffect(() => {
    if (uri === undefined) return undefined;
    let isWanted = true;
    client
      .request('resourceRead', { uri, encoding: 'base64' })
      .then(({ data, contentType }) => isWanted && setLoaded(pictureOf(contentType, data)))
      .catch(() => {}); // its name is shown all the same
    return () => {
      isWanted = false;
    };
  }, [client, uri]);
  if (attachment.type === 'embeddedResource') return pictureOf(attachment.contentType, attachment.data);
  return loaded;
}

function titleOf({ _meta }: MessageAttachment): string | undefined {
  const path = _meta?.[ExtensionMeta.path];
  return typeof path === 'string' ? visible(path) : undefined;
}

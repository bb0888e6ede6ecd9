import type { Message } from '@moorage/protocol';
import { useState } from 'react';
import { useClient } from '../connection/context.js';
import { moveFocusToChat } from '../ui/focus.js';
import { IconButton } from '../ui/IconButton.js';
import { showFailure } from '../ui/toasts.js';
import { AttachmentChip } from './AttachmentChip.js';
import { useChat } from './context.js';
import { sendInstead } from './send.js';

interface Props {
  readonly message: Message;
  readonly turnId: string;
  readonly canEdit: boolean;
}

/** A message to the agent. It can be edited and sent again, which removes this turn and all later ones. */
export function UserMessage({ message, turnId, canEdit }: Props) {
  const client = useClient();
  const { mirror } = useChat();
  const [draft, setDraft] = useState<string>();
  const leave = () => {
    setDraft(undefined);
    moveFocusToChat();
  };
  const resend = async () => {
    if (draft === undefined || !draft.trim()) return;
    leave();
    await sendInstead(client, mirror, turnId, { ...message, text: draft });
  };
  if (draft !== undefined) {
    return (
      <div className="user-message editing">
        <textarea
          aria-label="Edit the message"
          // biome-ignore lint/a11y/noAutofocus: the user has just asked to edit this
          autoFocus
          onKeyDown={(event) => {
            if (event.key === 'Escape' && !event.nativeEvent.isComposing) leave();
          }}
          rows={Math.min(12, draft.split('\n').length + 1)}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
        <p className="quiet">Sending it again removes this turn and all later ones from the conversation.</p>
        <div className="form-end">
          <button type="button" className="button" onClick={leave}>
            Cancel
          </button>
          <button type="button" className="button primary" onClick={() => showFailure(resend())}>
            Send again
          </button>
        </div>
      </div>
    );
  }
  return (
    <div className="user-message" data-origin={message.origin.kind}>
      <div className="user-text">{message.text}</div>
      {message.attachments
        ?.filter(({ displayKind }) => displayKind !== 'command')
        .map((attachment, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: attachments have no other name
          <AttachmentChip key={index} attachment={attachment} />
        ))}
      {canEdit && message.origin.kind === 'user' && (
        <IconButton
          icon="pencil"
          label="Edit and send again"
          className="on-hover"
          onClick={() => setDraft(message.text)}
        />
      )}
    </div>
  );
}

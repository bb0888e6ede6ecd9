import type { Message } from '@moorage/protocol';
import { useState } from 'react';
import { useClient } from '../connection/context.js';
import { useRights } from '../connection/rights.js';
import { plainText } from '../markdown/Text.js';
import { PersonName, personIn } from '../people/PersonName.js';
import { moveFocusToChat } from '../ui/focus.js';
import { IconButton } from '../ui/IconButton.js';
import { showFailure, showToast } from '../ui/toasts.js';
import { AttachmentChip } from './AttachmentChip.js';
import { useChat } from './context.js';
import { sendInstead, sendMessage } from './send.js';
import { knowsFiles, type TakeBack, takeFilesBack } from './take-back.js';

interface Props {
  readonly message: Message;
  readonly turnId: string;
  readonly canEdit: boolean;
}

/** A message to the agent. It can be edited and sent again, which removes this turn and all later ones. */
export function UserMessage({ message, turnId, canEdit }: Props) {
  const client = useClient();
  const { mirror } = useChat();
  const { may } = useRights();
  const [takeBack, setTakeBack] = useState<TakeBack>('conversation');
  const [draft, setDraft] = useState<string>();
  const leave = () => {
    setDraft(undefined);
    moveFocusToChat();
  };
  const resend = async () => {
    if (draft === undefined || !draft.trim()) return;
    const again = { ...message, text: draft };
    // First, because it may be refused; then nothing has changed, and the text is still here.
    if (takeBack !== 'conversation') {
      const text = plainText(await takeFilesBack(client, mirror, turnId));
      if (text) showToast({ tone: 'done', text });
    }
    leave();
    if (takeBack === 'files') await sendMessage(mirror, again);
    else await sendInstead(client, mirror, turnId, again);
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
        <p className="quiet">{WHAT_GOES[takeBack]}</p>
        <div className="form-end">
          {knowsFiles(mirror.optimistic) && (
            <select
              aria-label="Take back"
              value={takeBack}
              onChange={({ target }) => setTakeBack(target.value as TakeBack)}
            >
              <option value="conversation">Take back the conversation</option>
              <option value="both">Take back conversation and files</option>
              <option value="files">Take back the files</option>
            </select>
          )}
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
      <PersonName name={personIn(message)} />
      <div className="user-text">{message.text}</div>
      {message.attachments
        ?.filter(({ displayKind }) => displayKind !== 'command')
        .map((attachment, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: attachments have no other name
          <AttachmentChip key={index} attachment={attachment} />
        ))}
      {canEdit && may('steer') && message.origin.kind === 'user' && (
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

const WHAT_GOES: Readonly<Record<TakeBack, string>> = {
  conversation: 'Sending it again removes this turn and all later ones from the conversation. Files stay as they are.',
  both: 'Sending it again removes this turn and all later ones, and takes back what they did to files. What you and other chats did stays. The review can undo that for files.',
  files:
    'What this turn and all later ones did to files is taken back, and the message is sent as a new one. What you and other chats did stays. The review can undo that for files.',
};

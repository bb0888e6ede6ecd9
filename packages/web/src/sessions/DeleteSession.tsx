import { useEffect, useRef } from 'react';
import { useClient } from '../connection/context.js';
import { orTell, showToast } from '../ui/toasts.js';

interface Props {
  readonly uri: string;
  /** A turn runs, which ends with the session. */
  readonly busy: boolean;
  readonly onCancel: () => void;
  readonly onDeleted: () => void;
}

/** Asks once, in place, and says what becomes of what is in the session. */
export function DeleteSession({ uri, busy, onCancel, onDeleted }: Props) {
  const client = useClient();
  const no = useRef<HTMLButtonElement>(null);
  useEffect(() => no.current?.focus(), []);
  const remove = async () => {
    await client.request('disposeSession', { channel: uri });
    showToast({ tone: 'done', text: 'The session was deleted.' });
    onDeleted();
  };
  return (
    <div
      className="ask-in-place ask-row"
      role="alertdialog"
      aria-label="Delete the session"
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      <span className="ask-text">
        {busy && 'The turn that runs is stopped. '}
        The session goes away for everybody, and this page cannot bring it back. Files stay as they are; the host keeps
        the session's data for 30 days before it is erased.
      </span>
      <button type="button" className="button danger" onClick={() => orTell(remove())}>
        Delete
      </button>
      <button ref={no} type="button" className="button" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}

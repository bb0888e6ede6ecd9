import { useState } from 'react';
import { Dialog } from '../ui/Dialog.js';
import { plural } from '../ui/format.js';
import type { ReviewFile } from './file.js';

interface Props {
  readonly files: readonly ReviewFile[];
  readonly onCommit: (message: string, files: readonly ReviewFile[]) => void;
  readonly onClose: () => void;
}

/** Shows what will be committed, and asks for the message. */
export function CommitDialog({ files, onCommit, onClose }: Props) {
  const [message, setMessage] = useState('');
  const staged = files.filter((file) => file.staged);
  const shown = staged.length > 0 ? staged : files;
  return (
    <Dialog title="Commit" className="commit-dialog" onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          onCommit(message, shown);
          onClose();
        }}
      >
        <p className="quiet">
          {staged.length > 0
            ? 'What is staged will be committed:'
            : 'Nothing is staged, so everything will be committed:'}
        </p>
        <ul className="commit-files">
          {shown.map(({ id, letter, path }) => (
            <li key={id}>
              {letter} <bdi>{path}</bdi>
            </li>
          ))}
        </ul>
        <label className="field">
          <span>Message</span>
          <textarea
            data-autofocus
            rows={3}
            dir="auto"
            value={message}
            onChange={(event) => setMessage(event.target.value)}
          />
        </label>
        <div className="form-end">
          <button type="submit" className="button primary" disabled={message.trim() === '' || shown.length === 0}>
            Commit {plural(shown.length, 'file')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

import { ExtensionMeta } from '@moorage/protocol';
import { useEffect, useState } from 'react';
import { useClient } from '../connection/context.js';
import { Dialog } from '../ui/Dialog.js';

interface Props {
  readonly uri: string;
  readonly onCreate: (meta: Record<string, unknown>) => void;
  readonly onClose: () => void;
}

/** Asks for title and body of a pull request. Fields that are left alone change nothing of one that is open already. */
export function PullRequestDialog({ uri, onCreate, onClose }: Props) {
  const client = useClient();
  const [suggested, setSuggested] = useState({ title: '', body: '' });
  const [title, setTitle] = useState<string>();
  const [body, setBody] = useState<string>();
  const [draft, setDraft] = useState<boolean>();
  useEffect(() => {
    let isGone = false;
    const show = (message: string) => {
      const [first = '', ...rest] = message.split('\n');
      if (!isGone) setSuggested({ title: first, body: rest.join('\n').trim() });
    };
    // Not every host can suggest one.
    client.request('moorage/suggestCommitMessage', { channel: uri }).then(
      ({ message }) => show(message),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [client, uri]);
  return (
    <Dialog title="Pull request" className="commit-dialog" onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          onCreate({
            ...(title !== undefined && { [ExtensionMeta.title]: title }),
            ...(body !== undefined && { [ExtensionMeta.body]: body }),
            ...(draft !== undefined && { [ExtensionMeta.draft]: draft }),
          });
          onClose();
        }}
      >
        <label className="field">
          <span>Title</span>
          <input
            data-autofocus
            dir="auto"
            value={title ?? suggested.title}
            onChange={(event) => setTitle(event.target.value)}
          />
        </label>
        <label className="field">
          <span>Description</span>
          <textarea
            rows={6}
            dir="auto"
            value={body ?? suggested.body}
            onChange={(event) => setBody(event.target.value)}
          />
        </label>
        <label>
          <input type="checkbox" checked={draft ?? false} onChange={(event) => setDraft(event.target.checked)} /> Draft
        </label>
        <p className="quiet">If one is open for this branch, what you change here is changed there.</p>
        <div className="form-end">
          <button type="submit" className="button primary" disabled={title?.trim() === ''}>
            Push and open
          </button>
        </div>
      </form>
    </Dialog>
  );
}

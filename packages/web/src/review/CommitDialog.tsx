import { changesetUri, ExtensionMeta } from '@moorage/protocol';
import { useEffect, useMemo, useState } from 'react';
import { useClient } from '../connection/context.js';
import { useChannel } from '../connection/use-channel.js';
import { Dialog } from '../ui/Dialog.js';
import { plural } from '../ui/format.js';
import { type ReviewFile, reviewFiles } from './file.js';

interface Props {
  /** The uncommitted changes. */
  readonly uri: string;
  readonly session: string;
  readonly folders: readonly string[] | undefined;
  readonly files: readonly ReviewFile[];
  readonly onCommit: (meta: Record<string, unknown>) => void;
  readonly onClose: () => void;
}

const CHOICES = [
  ['staged', 'What is staged'],
  ['session', 'What this session changed'],
  ['reviewed', 'What is viewed'],
  ['all', 'Everything, also your own changes'],
] as const;
type Choice = (typeof CHOICES)[number][0];

/** Asks what goes into a commit, shows its files, and asks for the message. */
export function CommitDialog({ uri, session, folders, files, onCommit, onClose }: Props) {
  const client = useClient();
  const { state } = useChannel('changeset', changesetUri(session, { kind: 'session' }));
  const [message, setMessage] = useState<string>();
  const [suggested, setSuggested] = useState('');
  useEffect(() => {
    let isGone = false;
    // Not every host can suggest one.
    client.request('moorage/suggestCommitMessage', { channel: uri }).then(
      (answer) => isGone || setSuggested(answer.message.trim()),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [client, uri]);
  const lists = useMemo((): Record<Choice, readonly ReviewFile[]> => {
    const changed = new Set(files.map(({ id }) => id));
    return {
      staged: files.filter((file) => file.staged),
      session: reviewFiles(state?.files ?? [], folders).filter(({ id }) => changed.has(id)),
      reviewed: files.filter(
        ({ reviewed, entry }) => reviewed || entry._meta?.[ExtensionMeta.reviewedHunks] !== undefined,
      ),
      all: files,
    };
  }, [files, state, folders]);
  const [chosen, choose] = useState<Choice>();
  const what = chosen ?? (lists.staged.length > 0 ? 'staged' : 'session');
  const shown = lists[what];
  const words = message ?? suggested;
  return (
    <Dialog title="Commit" className="commit-dialog" onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          onCommit({
            [ExtensionMeta.message]: words,
            [ExtensionMeta.what]: what,
            [ExtensionMeta.files]: shown.map(({ id }) => id),
          });
          onClose();
        }}
      >
        <fieldset className="commit-choice">
          <legend className="quiet">What goes in</legend>
          {CHOICES.map(([choice, label]) => (
            <label key={choice}>
              <input
                type="radio"
                name="what"
                checked={choice === what}
                disabled={lists[choice].length === 0}
                onChange={() => choose(choice)}
              />{' '}
              {label} <span className="quiet">({plural(lists[choice].length, 'file')})</span>
            </label>
          ))}
        </fieldset>
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
            rows={4}
            dir="auto"
            value={words}
            onChange={(event) => setMessage(event.target.value)}
          />
        </label>
        <div className="form-end">
          <button type="submit" className="button primary" disabled={words.trim() === '' || shown.length === 0}>
            Commit {plural(shown.length, 'file')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

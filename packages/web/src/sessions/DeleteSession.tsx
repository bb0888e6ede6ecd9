import type { Mirror } from '@ahpd/client';
import { useEffect, useRef } from 'react';
import { useClient } from '../connection/context.js';
import { useChannel } from '../connection/use-channel.js';
import { plural } from '../ui/format.js';
import { orTell, showToast } from '../ui/toasts.js';
import { visible } from '../ui/visible.js';
import { fateOf, type Worktree } from './worktree.js';

interface Props {
  readonly mirror: Mirror<'session'>;
  readonly worktree: Worktree | undefined;
  /** A turn runs, which ends with the session. */
  readonly busy: boolean;
  readonly onCancel: () => void;
  readonly onDeleted: () => void;
}

/** Asks once, in place, and says what becomes of what is in the session. */
export function DeleteSession({ mirror, worktree, busy, onCancel, onDeleted }: Props) {
  const client = useClient();
  const no = useRef<HTMLButtonElement>(null);
  const { state: root } = useChannel('root', 'ahp-root://');
  const days = Number(root?.config?.values.keepEndedSessionsDays ?? 30);
  useEffect(() => no.current?.focus(), []);
  const remove = async () => {
    await client.request('disposeSession', { channel: mirror.uri });
    const fate = fateOf(mirror.confirmed);
    showToast({ tone: 'done', text: `The session was deleted.${fate ? ` ${fate}` : ''}` });
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
        The session goes away for everybody, and this page cannot bring it back.{' '}
        {worktree ? <TreeFate worktree={worktree} /> : 'Files stay as they are.'} The host keeps the session's data for{' '}
        {plural(days, 'day')} before it is erased.
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

function TreeFate({ worktree: { path, branch, goes } }: { readonly worktree: Worktree }) {
  const name = branch === undefined ? 'its branch' : <bdi>{visible(branch)}</bdi>;
  if (goes) return <>Its work tree and {name} are removed if nothing in them would be lost; otherwise they stay.</>;
  return (
    <>
      Its work tree and {name} stay, at <bdi className="ask-path">{visible(path)}</bdi>.
    </>
  );
}

import type { Client, Mirror } from '@moorage/client';
import { ROOT_URI } from '@moorage/protocol';
import { useClient } from '../connection/context.js';
import { useChannel } from '../connection/use-channel.js';
import { plural } from '../ui/format.js';
import { InlineQuestion } from '../ui/InlineQuestion.js';
import { showFailure, showToast } from '../ui/toasts.js';
import { visible } from '../ui/visible.js';
import { type Worktree, worktreeOutcome } from './worktree.js';

interface Props {
  readonly mirror: Mirror<'session'>;
  readonly worktree: Worktree | undefined;
  /** Whether a turn is running. */
  readonly busy: boolean;
  readonly onCancel: () => void;
  readonly onDeleted: () => void;
}

/** Asks for confirmation in place, and says what happens to the session's data and work tree. */
export function DeleteSession({ mirror, worktree, busy, onCancel, onDeleted }: Props) {
  const client = useClient();
  const { state: root } = useChannel('root', ROOT_URI);
  const days = Number(root?.config?.values.keepEndedSessionsDays ?? 30);
  const remove = async () => {
    await client.request('disposeSession', { channel: mirror.uri });
    const outcome = worktreeOutcome(mirror.confirmed);
    const undo = { label: 'Undo', run: () => showFailure(client.request('restoreSession', { channel: mirror.uri })) };
    const action = (await canRestore(client)) ? undo : undefined;
    showToast({ tone: 'done', text: `The session was deleted.${outcome ? ` ${outcome}` : ''}`, action });
    onDeleted();
  };
  return (
    <InlineQuestion
      label="Delete the session"
      action="Delete"
      className="ask-row"
      focus="cancel"
      onYes={() => showFailure(remove())}
      onNo={onCancel}
    >
      {busy && 'The running turn is stopped. '}
      The session is deleted for everyone. {worktree ? <WorktreeNote worktree={worktree} /> : 'Files stay as they are.'}{' '}
      The host keeps the session's data for {plural(days, 'day')} before erasing it; until then,{' '}
      <code>moorage restore</code> brings it back.
    </InlineQuestion>
  );
}

/** Not every host can restore sessions. */
function canRestore(client: Client): Promise<boolean> {
  return client.request('listDisposedSessions', { channel: ROOT_URI }).then(
    () => true,
    () => false,
  );
}

function WorktreeNote({ worktree: { path, branch, isRemovedIfClean } }: { readonly worktree: Worktree }) {
  const name = branch === undefined ? 'its branch' : <bdi>{visible(branch)}</bdi>;
  if (isRemovedIfClean)
    return <>Its work tree and {name} are removed if nothing in them would be lost; otherwise they stay.</>;
  return (
    <>
      Its work tree and {name} stay, at <bdi className="ask-path">{visible(path)}</bdi>.
    </>
  );
}

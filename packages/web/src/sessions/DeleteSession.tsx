import type { Client, Mirror } from '@ahpd/client';
import { ROOT_URI } from '@ahpd/protocol';
import { useClient } from '../connection/context.js';
import { useChannel } from '../connection/use-channel.js';
import { AskInPlace } from '../ui/AskInPlace.js';
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
  const { state: root } = useChannel('root', ROOT_URI);
  const days = Number(root?.config?.values.keepEndedSessionsDays ?? 30);
  const remove = async () => {
    await client.request('disposeSession', { channel: mirror.uri });
    const fate = fateOf(mirror.confirmed);
    const undo = { label: 'Undo', run: () => orTell(client.request('restoreSession', { channel: mirror.uri })) };
    const action = (await canRestore(client)) ? undo : undefined;
    showToast({ tone: 'done', text: `The session was deleted.${fate ? ` ${fate}` : ''}`, action });
    onDeleted();
  };
  return (
    <AskInPlace
      label="Delete the session"
      action="Delete"
      className="ask-row"
      focus="cancel"
      onYes={() => orTell(remove())}
      onNo={onCancel}
    >
      {busy && 'The turn that runs is stopped. '}
      The session goes away for everybody. {worktree ? <TreeFate worktree={worktree} /> : 'Files stay as they are.'} The
      host keeps the session's data for {plural(days, 'day')} before it is erased; until then <code>ahp restore</code>{' '}
      brings it back.
    </AskInPlace>
  );
}

/** Not every host can bring a session back. */
function canRestore(client: Client): Promise<boolean> {
  return client.request('listDisposedSessions', { channel: ROOT_URI }).then(
    () => true,
    () => false,
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

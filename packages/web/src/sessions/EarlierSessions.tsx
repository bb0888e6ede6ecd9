import { randomId } from '@moorage/client';
import { type EarlierSession, ROOT_URI, sessionUri } from '@moorage/protocol';
import { useEffect, useState } from 'react';
import { useClient } from '../connection/context.js';
import { Dialog } from '../ui/Dialog.js';
import { Icon } from '../ui/Icon.js';
import { sentenceOf } from '../ui/sentence.js';

interface Props {
  readonly provider: string;
  readonly agentName: string;
  /** The URI of the folder; empty if none is chosen. */
  readonly workingDirectory: string;
  readonly onCreated: (uri: string) => void;
}

/** Offers to continue what an agent did in a folder without this host. The demo agent keeps nothing. */
export function EarlierSessions(props: Props) {
  const [open, setOpen] = useState(false);
  if (props.provider === 'demo' || props.workingDirectory === '') return null;
  return (
    <>
      <button type="button" className="choice-chip" onClick={() => setOpen(true)}>
        <Icon name="clock" />
        Continue an earlier session
      </button>
      {open && <EarlierDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function EarlierDialog({
  provider,
  agentName,
  workingDirectory,
  onCreated,
  onClose,
}: Props & { readonly onClose: () => void }) {
  const client = useClient();
  const [items, setItems] = useState<readonly EarlierSession[]>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let isOpen = true;
    client
      .request('moorage/listEarlierSessions', { channel: ROOT_URI, provider, workingDirectory })
      .then((answer) => isOpen && setItems(answer.items))
      .catch((error: unknown) => isOpen && setProblem(sentenceOf(error)));
    return () => {
      isOpen = false;
    };
  }, [client, provider, workingDirectory]);
  const adopt = async (id: string) => {
    setBusy(true);
    try {
      const channel = sessionUri.format(randomId());
      await client.request('moorage/adoptSession', { channel, provider, workingDirectory, id });
      onClose();
      onCreated(channel);
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={`Earlier sessions of ${agentName}`} onClose={onClose}>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {!items && problem === undefined && <p className="quiet">Asking {agentName}…</p>}
      {items?.length === 0 && <p className="quiet">It has none in this folder that are not in the list already.</p>}
      <ul className="host-rows">
        {items?.map(({ id, title, updatedAt }) => (
          <li key={id} className="host-row">
            <button type="button" className="link" disabled={busy} onClick={() => void adopt(id)}>
              <bdi>{title ?? id}</bdi>
            </button>
            {updatedAt !== undefined && <p className="quiet">{new Date(updatedAt).toLocaleString()}</p>}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

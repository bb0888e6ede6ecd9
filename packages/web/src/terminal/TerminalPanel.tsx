import { randomId } from '@moorage/client';
import { type TerminalClaim, type TerminalInfo, terminalUri } from '@moorage/protocol';
import { useRef, useState } from 'react';
import { useClient } from '../connection/context.js';
import { useRights } from '../connection/rights.js';
import { useChannel } from '../connection/use-channel.js';
import { IconButton } from '../ui/IconButton.js';
import { showFailure } from '../ui/toasts.js';
import { TerminalPane } from './TerminalPane.js';

interface Props {
  readonly selected: string | undefined;
  /** The open session. New terminals belong to it. */
  readonly session: string | undefined;
  /** The chat of the session that the user looks at. */
  readonly chat: string | undefined;
  readonly folder: string | undefined;
  readonly onSelect: (uri: string) => void;
  readonly onClose: () => void;
}

/** The terminals of the open session and those of clients as tabs; without a session, all of the host; and the selected one. */
export function TerminalPanel({ selected, session, chat, folder, onSelect, onClose }: Props) {
  const client = useClient();
  const { state: root } = useChannel('root', 'ahp-root://');
  const { may } = useRights();
  const canCreate = may(session && chat ? 'steer' : 'admin');
  const isNear = ({ claim }: TerminalInfo) =>
    claim.kind === 'client' ? claim.clientId === client.clientId : claim.session === session;
  const all = (root?.terminals ?? []).filter(({ claim }) =>
    claim.kind === 'client'
      ? may('admin') || claim.clientId === client.clientId
      : session === undefined || claim.session === session,
  );
  const near = all.filter(isNear);
  const terminals = [...near, ...all.filter((terminal) => !isNear(terminal))];
  const named = (uri: string | undefined) => all.find(({ resource }) => resource === uri);
  // The shown terminal stays, even if another client takes it. Those of other clients are shown only when selected.
  const last = useRef<{ readonly session: string | undefined; readonly uri: string }>(undefined);
  const kept = last.current?.session === session ? named(last.current?.uri) : undefined;
  const shown = named(selected) ?? kept ?? (session === undefined ? all[0] : near[0]);
  last.current = shown && { session, uri: shown.resource };
  const [asked, setAsked] = useState<string>();
  const select = (uri: string) => {
    setAsked(uri);
    onSelect(uri);
  };
  const create = async () => {
    const channel = terminalUri.format(randomId());
    const claim: TerminalClaim =
      session && chat ? { kind: 'session', session, chat } : { kind: 'client', clientId: client.clientId };
    await client.request('createTerminal', { channel, claim, ...(folder && { cwd: folder }) });
    select(channel);
  };
  return (
    <section className="terminals" aria-label="Terminals">
      <div className="terminal-tabs">
        {terminals.length > 0 && (
          <div className="tab-list" role="tablist" aria-label="Terminals">
            {terminals.map((terminal) => (
              <button
                key={terminal.resource}
                type="button"
                role="tab"
                className="tab"
                title={isNear(terminal) || session === undefined ? undefined : 'Not part of this session'}
                aria-selected={terminal === shown}
                onClick={() => select(terminal.resource)}
              >
                <bdi>{terminal.title || 'Terminal'}</bdi>
                {exitMark(terminal)}
              </button>
            ))}
          </div>
        )}
        {canCreate && <IconButton icon="plus" label="New terminal" onClick={() => showFailure(create())} />}
        <IconButton icon="close" label="Close the terminals" className="close-panel" onClick={onClose} />
      </div>
      {shown ? (
        <TerminalPane
          key={shown.resource}
          uri={shown.resource}
          session={session}
          chat={chat}
          focused={asked === shown.resource}
        />
      ) : (
        <div className="pane-note">
          <p className="quiet">{session ? 'This session has no terminal.' : 'No terminal is open.'}</p>
          {canCreate && (
            <button type="button" className="button" onClick={() => showFailure(create())}>
              Open a terminal{folder && " in this session's folder"}
            </button>
          )}
        </div>
      )}
    </section>
  );
}

function exitMark({ lifecycle }: TerminalInfo) {
  if (lifecycle.status === 'running') return <span className="dot running" title="running" />;
  const { exitCode = 0 } = lifecycle;
  return <span className={exitCode === 0 ? 'quiet' : 'removed'}>{exitCode === 0 ? '✓' : exitCode}</span>;
}

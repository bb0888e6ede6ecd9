import type { TerminalClaim } from '@ahpd/protocol';
import { useState } from 'react';
import { useClient } from '../connection/context.js';
import { AskInPlace } from '../ui/AskInPlace.js';
import { Loading } from '../ui/Loading.js';
import { orTell } from '../ui/toasts.js';
import { exitText } from './exit-text.js';
import { TerminalScreen, type Typing } from './TerminalScreen.js';
import { useTerminal } from './use-terminal.js';

interface Props {
  readonly uri: string;
  /** The session that is open. */
  readonly session: string | undefined;
  /** Whether somebody has just asked for it. */
  readonly focused: boolean;
}

/** One terminal with who holds it, and the way to take it or give it away. */
export function TerminalPane({ uri, session, focused }: Props) {
  const client = useClient();
  const { mirror, state, error } = useTerminal(uri);
  const [ending, setEnding] = useState(false);
  if (error) return <p className="pane-note">{error}</p>;
  if (!mirror || !state) return <Loading what="terminal" />;
  const { claim } = state;
  const holder = holderOf(claim, client.clientId, session);
  const ended = state.exitCode !== undefined;
  const give = (to: TerminalClaim) => orTell(mirror.dispatch({ type: 'terminal/claimed', claim: to }));
  const end = () => orTell(client.request('disposeTerminal', { channel: uri }));
  return (
    <div className="terminal-pane">
      <TerminalScreen
        mirror={mirror}
        state={state}
        typing={ended ? 'none' : TYPING[holder]}
        onOpened={(screen) => focused && screen.focus()}
      />
      <div className="terminal-foot">
        <span>{ended ? exitText(state.exitCode) : HOLDER_WORDS[holder]}</span>
        {!ended && holder === 'turn' && claim.kind === 'session' && (
          <button type="button" className="link" onClick={() => give({ kind: 'session', session: claim.session })}>
            Detach from the turn
          </button>
        )}
        {!ended && TYPING[holder] === 'shared' && (
          <button type="button" className="link" onClick={() => give({ kind: 'client', clientId: client.clientId })}>
            Take it
          </button>
        )}
        {!ended && holder === 'me' && session !== undefined && (
          <button type="button" className="link" onClick={() => give({ kind: 'session', session })}>
            Give it to the session
          </button>
        )}
        {ending && !ended ? (
          <AskInPlace
            label="End the terminal"
            action="End it"
            focus="cancel"
            onYes={() => {
              setEnding(false);
              end();
            }}
            onNo={() => setEnding(false)}
          >
            What runs in it ends, and what it printed goes.
          </AskInPlace>
        ) : (
          <button type="button" className="link" onClick={ended ? end : () => setEnding(true)}>
            {ended ? 'Remove' : 'End it'}
          </button>
        )}
      </div>
    </div>
  );
}

type Holder = 'me' | 'other' | 'session' | 'other session' | 'turn';

const HOLDER_WORDS: Readonly<Record<Holder, string>> = {
  me: 'Yours: only you can type.',
  other: 'Held by another client. You can watch.',
  session: 'Of this session: everybody in it can type.',
  'other session': 'Of another session. You can type too.',
  turn: 'An agent is using it. You can watch.',
};

const TYPING: Readonly<Record<Holder, Typing>> = {
  me: 'mine',
  other: 'none',
  session: 'shared',
  'other session': 'shared',
  turn: 'none',
};

function holderOf(claim: TerminalClaim, clientId: string, session: string | undefined): Holder {
  if (claim.kind === 'client') return claim.clientId === clientId ? 'me' : 'other';
  if (claim.turnId !== undefined || claim.toolCallId !== undefined) return 'turn';
  return claim.session === session ? 'session' : 'other session';
}

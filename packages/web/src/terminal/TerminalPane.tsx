import type { TerminalClaim } from '@moorage/protocol';
import { useState } from 'react';
import { useClient } from '../connection/context.js';
import { useRights } from '../connection/rights.js';
import { InlineQuestion } from '../ui/InlineQuestion.js';
import { Loading } from '../ui/Loading.js';
import { showFailure } from '../ui/toasts.js';
import { exitText } from './exit-text.js';
import { TerminalScreen, type Typing } from './TerminalScreen.js';
import { useTerminal } from './use-terminal.js';

interface Props {
  readonly uri: string;
  /** The open session. */
  readonly session: string | undefined;
  /** Its chat that the user looks at. */
  readonly chat: string | undefined;
  /** Whether the user has just selected it. */
  readonly focused: boolean;
}

/** One terminal, with its holder and actions to take it or hand it over. */
export function TerminalPane({ uri, session, chat, focused }: Props) {
  const client = useClient();
  const { mirror, state, error } = useTerminal(uri);
  const { may } = useRights();
  const [ending, setEnding] = useState(false);
  if (error) return <p className="pane-note">{error}</p>;
  if (!mirror || !state) return <Loading what="terminal" />;
  const { claim } = state;
  // One's own can always be used; those of other clients are for an admin, those of sessions for whoever steers.
  const lacking = claim.kind === 'client' || may('steer') ? undefined : 'You can watch: typing needs the role steer.';
  const holder = holderOf(claim, client.clientId, session);
  const ended = state.lifecycle.status === 'exited';
  const give = (to: TerminalClaim) => showFailure(mirror.dispatch({ type: 'terminal/claimed', claim: to }));
  const end = () => showFailure(client.request('disposeTerminal', { channel: uri }));
  return (
    <div className="terminal-pane">
      <TerminalScreen
        mirror={mirror}
        state={state}
        typing={ended || lacking ? 'none' : TYPING[holder]}
        onOpened={(screen) => focused && screen.focus()}
      />
      <div className="terminal-foot">
        <span>{ended ? exitText(state.lifecycle) : (lacking ?? HOLDER_LABELS[holder])}</span>
        {!lacking && !ended && holder === 'turn' && claim.kind === 'session' && (
          <button
            type="button"
            className="link"
            onClick={() => give({ kind: 'session', session: claim.session, chat: claim.chat })}
          >
            Detach from the turn
          </button>
        )}
        {!lacking && !ended && TYPING[holder] === 'shared' && (
          <button type="button" className="link" onClick={() => give({ kind: 'client', clientId: client.clientId })}>
            Take control
          </button>
        )}
        {!ended && holder === 'me' && session !== undefined && chat !== undefined && (
          <button type="button" className="link" onClick={() => give({ kind: 'session', session, chat })}>
            Give it to the session
          </button>
        )}
        {lacking ? null : ending && !ended ? (
          <InlineQuestion
            label="Close the terminal"
            action="Close"
            focus="cancel"
            onYes={() => {
              setEnding(false);
              end();
            }}
            onNo={() => setEnding(false)}
          >
            This ends what is running in it, and its output is lost.
          </InlineQuestion>
        ) : (
          <button type="button" className="link" onClick={ended ? end : () => setEnding(true)}>
            {ended ? 'Remove' : 'Close'}
          </button>
        )}
      </div>
    </div>
  );
}

type Holder = 'me' | 'other' | 'session' | 'other session' | 'turn';

const HOLDER_LABELS: Readonly<Record<Holder, string>> = {
  me: 'Yours: only you can type.',
  other: 'Held by another client. You can watch.',
  session: 'Belongs to this session: everyone in it can type.',
  'other session': 'Belongs to another session. You can type too.',
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

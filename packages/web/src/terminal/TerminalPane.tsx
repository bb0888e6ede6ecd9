import type { TerminalClaim } from '@ahpd/protocol';
import { useClient } from '../connection/context.js';
import { useChannel } from '../connection/use-channel.js';
import { Loading } from '../ui/Loading.js';
import { orTell } from '../ui/toasts.js';
import { exitText } from './exit-text.js';
import { TerminalScreen } from './TerminalScreen.js';

/** One terminal with who holds it, and the way to take it or give it away. */
export function TerminalPane({ uri }: { readonly uri: string }) {
  const client = useClient();
  const { mirror, state, error } = useChannel('terminal', uri);
  if (error) return <p className="pane-note">{error}</p>;
  if (!mirror || !state) return <Loading what="terminal" />;
  const holder = holderOf(state.claim, client.clientId);
  const ended = state.exitCode !== undefined;
  const take = () =>
    orTell(mirror.dispatch({ type: 'terminal/claimed', claim: { kind: 'client', clientId: client.clientId } }));
  return (
    <div className="terminal-pane">
      <TerminalScreen
        mirror={mirror}
        state={state}
        mine={!ended && holder !== 'other' && holder !== 'turn'}
        onOpened={(screen) => holder === 'me' && screen.focus()}
      />
      <div className="terminal-foot">
        <span>{ended ? exitText(state.exitCode) : HOLDER_WORDS[holder]}</span>
        {!ended && (holder === 'session' || holder === 'turn') && (
          <button type="button" className="link" onClick={holder === 'turn' ? () => detach(mirror, state.claim) : take}>
            {holder === 'turn' ? 'Detach from the turn' : 'Take it'}
          </button>
        )}
        <button
          type="button"
          className="link"
          onClick={() => orTell(client.request('disposeTerminal', { channel: uri }))}
        >
          {ended ? 'Remove' : 'End it'}
        </button>
      </div>
    </div>
  );
}

type Holder = 'me' | 'other' | 'session' | 'turn';

const HOLDER_WORDS: Readonly<Record<Holder, string>> = {
  me: 'Yours: what you type goes to the program.',
  other: 'Held by another client. You can watch.',
  session: 'Held by a session. You can type too.',
  turn: 'An agent is using it. You can watch.',
};

function holderOf(claim: TerminalClaim, clientId: string): Holder {
  if (claim.kind === 'client') return claim.clientId === clientId ? 'me' : 'other';
  return claim.turnId === undefined ? 'session' : 'turn';
}

function detach(mirror: NonNullable<ReturnType<typeof useChannel<'terminal'>>['mirror']>, claim: TerminalClaim): void {
  if (claim.kind !== 'session') return;
  orTell(mirror.dispatch({ type: 'terminal/claimed', claim: { kind: 'session', session: claim.session } }));
}

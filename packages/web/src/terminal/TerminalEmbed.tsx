import { type TerminalState, terminalText } from '@ahpd/protocol';
import { useChat } from '../chat/context.js';
import { LongText } from '../chat/LongText.js';
import { useChannel } from '../connection/use-channel.js';
import { Icon } from '../ui/Icon.js';
import { exitText } from './exit-text.js';
import { TerminalScreen } from './TerminalScreen.js';

interface Props {
  readonly uri: string;
  readonly title: string;
  /** What it printed, for when it is gone. */
  readonly text: string;
}

/** A terminal inside a conversation: to watch. Typing is for the panel. */
export function TerminalEmbed({ uri, title, text }: Props) {
  const { mirror, state, error } = useChannel('terminal', uri);
  const { onOpenTerminal } = useChat();
  return (
    <figure className="terminal-embed">
      <figcaption>
        <Icon name="terminal" />
        <bdi className="path">{state?.title || title}</bdi>
        <span className="quiet">{state && exitText(state.exitCode)}</span>
        {state && (
          <button type="button" className="link" onClick={() => onOpenTerminal(uri)}>
            Open
          </button>
        )}
      </figcaption>
      {error && (text ? <LongText text={text} /> : <p className="diff-note">This terminal is gone.</p>)}
      {mirror && state && (
        <div className="terminal-box" style={{ height: ROW_PX * rowsFor(state) + 14 }}>
          <TerminalScreen mirror={mirror} state={state} typing="none" />
        </div>
      )}
    </figure>
  );
}

const ROW_PX = 17;

/** As high as what it shows, within reason. */
function rowsFor(state: TerminalState): number {
  return Math.min(14, Math.max(2, terminalText(state).split('\n').length));
}

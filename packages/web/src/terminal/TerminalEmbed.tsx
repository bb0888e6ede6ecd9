import { type TerminalState, terminalText } from '@moorage/protocol';
import { Icon } from '../ui/Icon.js';
import { LongText } from '../ui/LongText.js';
import { exitText } from './exit-text.js';
import { outputLength } from './follow.js';
import { TerminalScreen } from './TerminalScreen.js';
import { useTerminal } from './use-terminal.js';

interface Props {
  readonly uri: string;
  readonly title: string;
  /** Its output, shown if the terminal no longer exists. */
  readonly text: string;
  /** Shows it in the panel. */
  readonly onOpen: (uri: string) => void;
}

/** A terminal in a conversation. It is read-only; typing is possible in the panel. */
export function TerminalEmbed({ uri, title, text, onOpen }: Props) {
  const { mirror, state, error } = useTerminal(uri);
  return (
    <figure className="terminal-embed">
      <figcaption>
        <Icon name="terminal" />
        <bdi className="path">{state?.title || title}</bdi>
        <span className="quiet">{state && exitText(state.lifecycle)}</span>
        {state && (
          <button type="button" className="link" onClick={() => onOpen(uri)}>
            Open
          </button>
        )}
      </figcaption>
      {error && (text ? <LongText text={text} from="end" /> : <p className="diff-note">This terminal is gone.</p>)}
      {mirror && state && (
        <div className="terminal-box" style={{ height: ROW_PX * rowsFor(state) + 14 }}>
          <TerminalScreen mirror={mirror} state={state} typing="none" />
        </div>
      )}
    </figure>
  );
}

const ROW_PX = 17;
const MAX_ROWS = 14;
/** Characters that fill it, however long its lines are. */
const FILLED_CHARS = 4096;

/** As many rows as the output has, up to a limit. Long output is not split into lines, which would cost more with each. */
function rowsFor(state: TerminalState): number {
  if (outputLength(state) > FILLED_CHARS) return MAX_ROWS;
  return Math.min(MAX_ROWS, Math.max(2, terminalText(state).trimEnd().split('\n').length));
}

import { useChat } from '../chat/context.js';
import { useChannel } from '../connection/use-channel.js';
import { Icon } from '../ui/Icon.js';
import { exitText } from './exit-text.js';
import { TerminalScreen } from './TerminalScreen.js';

/** A terminal inside a conversation: to watch. Typing is for the panel. */
export function TerminalEmbed({ uri, title }: { readonly uri: string; readonly title: string }) {
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
      {error && <p className="diff-note">This terminal is gone.</p>}
      {mirror && state && <TerminalScreen mirror={mirror} state={state} mine={false} />}
    </figure>
  );
}

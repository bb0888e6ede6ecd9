import type { Mirror } from '@moorage/client';
import { type TerminalState, terminalText } from '@moorage/protocol';
import type { Screen } from './screen.js';

/**
 * Keeps a screen up to date with a terminal's channel. Output is written as it arrives; the whole text is assembled only
 * after a snapshot, because that costs more the more output there is.
 */
export function follow(mirror: Mirror<'terminal'>, screen: Screen): () => void {
  let written = 0;
  let wasLive = mirror.status === 'live';
  const show = (text: string) => {
    screen.show(text);
    written = text.length;
  };
  show(terminalText(mirror.confirmed));
  const stopActions = mirror.onAction(({ action, rejectionReason }) => {
    if (rejectionReason !== undefined) return;
    if (action.type === 'terminal/cleared') show('');
    else if (action.type === 'terminal/data') {
      screen.write(action.data);
      written += action.data.length;
    }
  });
  const stopChanges = mirror.subscribe(() => {
    const isLive = mirror.status === 'live';
    const isBack = isLive && !wasLive;
    wasLive = isLive;
    if (isBack || outputLength(mirror.confirmed) !== written) show(terminalText(mirror.confirmed));
  });
  return () => {
    stopActions();
    stopChanges();
  };
}

/** The length of a terminal's output. Unlike the text itself, it is cheap to get. */
export function outputLength({ content }: TerminalState): number {
  return content.reduce((sum, part) => sum + (part.type === 'command' ? part.output : part.value).length, 0);
}

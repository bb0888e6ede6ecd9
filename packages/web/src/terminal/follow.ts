import type { Mirror } from '@ahpd/client';
import { type TerminalState, terminalText } from '@ahpd/protocol';
import type { Screen } from './screen.js';

/**
 * Keeps a screen at what a terminal's channel says. Output is written as it comes: what there is in all is put together
 * only when a snapshot came instead, because that costs more the more there is.
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

/** Characters that a terminal holds. Unlike its text, they cost nothing to know. */
export function outputLength({ content }: TerminalState): number {
  return content.reduce((sum, part) => sum + (part.type === 'command' ? part.output : part.value).length, 0);
}

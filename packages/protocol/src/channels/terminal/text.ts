import type { TerminalState } from './state.js';

/** Everything that a terminal holds, as its program wrote it. */
export function terminalText({ content }: Pick<TerminalState, 'content'>): string {
  return content.map((part) => (part.type === 'command' ? part.output : part.value)).join('');
}

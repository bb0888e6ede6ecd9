import { stripVTControlCharacters } from 'node:util';
import type { Client } from '@moorage/client';
import { type ToolCallState, terminalText } from '@moorage/protocol';
import { plain } from '../output/plain.js';

/** Lines shown when more arrive at once: the last ones say what a command is doing. */
const TAIL_LINES = 12;
/** Characters kept of what has not been shown yet, of each terminal. */
const MAX_PENDING = 64 * 1024;

/** What the commands of tool calls print, while they run. */
export class CommandOutput {
  readonly #client: Client;
  readonly #onChange: () => void;
  /** By terminal: what arrived and is not shown yet. */
  readonly #pending = new Map<string, string>();
  /** Terminals of which something was shown. */
  readonly #shown = new Set<string>();
  /** By call: how many characters were shown of what an agent says that its command printed. */
  readonly #reported = new Map<string, number>();
  readonly #mirrors: { release(): void }[] = [];

  constructor(client: Client, onChange: () => void) {
    this.#client = client;
    this.#onChange = onChange;
  }

  /** The new lines of a call that runs, or the rest of one that has ended. Each line is given once. */
  take(call: ToolCallState): string[] {
    const content = 'content' in call ? (call.content ?? []) : [];
    const isOver = call.status === 'completed' || call.status === 'cancelled';
    const terminal = content.find((part) => part.type === 'terminal')?.resource;
    if (terminal !== undefined) {
      if (!isOver) this.#follow(terminal);
      if (!isOver || this.#pending.get(terminal) || this.#shown.has(terminal)) return this.#takeFrom(terminal, isOver);
    } else if (call._meta?.toolKind !== 'terminal') return [];
    // The agent runs the command itself, or it was over before its terminal could be followed.
    const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    const start = this.#reported.get(call.toolCallId) ?? 0;
    const end = isOver ? text.length : text.lastIndexOf('\n') + 1;
    if (end <= start) return [];
    this.#reported.set(call.toolCallId, end);
    return tail(linesOf(text.slice(start, end)));
  }

  close(): void {
    for (const mirror of this.#mirrors.splice(0)) mirror.release();
  }

  #takeFrom(terminal: string, isOver: boolean): string[] {
    const pending = this.#pending.get(terminal) ?? '';
    const end = isOver ? pending.length : pending.lastIndexOf('\n') + 1;
    if (end === 0) return [];
    this.#shown.add(terminal);
    this.#pending.set(terminal, pending.slice(end));
    return tail(linesOf(pending.slice(0, end)));
  }

  async #follow(terminal: string): Promise<void> {
    if (this.#pending.has(terminal)) return;
    this.#pending.set(terminal, '');
    const add = (text: string) => {
      this.#pending.set(terminal, `${this.#pending.get(terminal) ?? ''}${text}`.slice(-MAX_PENDING));
      this.#onChange();
    };
    try {
      const mirror = await this.#client.terminal(terminal);
      this.#mirrors.push(mirror);
      mirror.onAction(({ action, rejectionReason }) => {
        if (rejectionReason === undefined && action.type === 'terminal/data') add(action.data);
      });
      add(terminalText(mirror.confirmed));
    } catch {
      // It is gone already; the call has what it printed.
    }
  }
}

function linesOf(text: string): string[] {
  const lines = stripVTControlCharacters(text).replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n');
  // Of a line that was written over, as progress bars do, the last version counts.
  return lines.map((line) => plain(line.replace(/\r+$/, '').replace(/^.*\r/, ''))).filter((line) => line !== '');
}

function tail(lines: readonly string[]): string[] {
  const more = lines.length - TAIL_LINES;
  return more > 0 ? [`... ${more} earlier lines`, ...lines.slice(-TAIL_LINES)] : [...lines];
}

import type { AgentEvent } from '@moorage/host/ports';
import { giveWay } from '../../shared/abortable.js';
import { inPieces } from './pieces.js';
import type { ScriptTurn } from './ports.js';

/** Emits what the agent says and thinks. */
export class Voice {
  readonly #turn: ScriptTurn;
  /** The kind of the last text: another one of this kind would be appended to it. */
  #open: TextKind | undefined;

  constructor(turn: ScriptTurn) {
    this.#turn = turn;
  }

  /** Tells the host what happened. Throws once the turn is cancelled. */
  emit(event: AgentEvent): void {
    this.#turn.signal.throwIfAborted();
    this.#turn.emit(event);
    if (event.kind === 'text' || event.kind === 'reasoning') this.#open = event.kind;
    else if (event.kind !== 'usage') this.#open = undefined;
  }

  say(text: string): Promise<void> {
    return this.#stream('text', inPieces(text));
  }

  think(text: string): Promise<void> {
    return this.#stream('reasoning', inPieces(text));
  }

  /** That many words, each a delta of its own. */
  stream(count: number): Promise<void> {
    return this.#stream('text', words(count));
  }

  async #stream(kind: TextKind, pieces: Iterable<string>): Promise<void> {
    // The host appends text to an open part of its kind, so a new text has to start a new paragraph.
    let gap = this.#open === kind ? '\n\n' : '';
    for (const piece of pieces) {
      this.emit({ kind, text: gap + piece });
      gap = '';
      await giveWay(this.#turn.signal);
    }
  }
}

type TextKind = 'text' | 'reasoning';

const WORDS = ['lorem', 'ipsum', 'dolor', 'sit', 'amet', 'consectetur', 'adipiscing', 'elit'];

function* words(count: number): Iterable<string> {
  for (let index = 0; index < count; index++) yield `${index === 0 ? '' : ' '}${WORDS[index % WORDS.length]}`;
}

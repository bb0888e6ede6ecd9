/** A piece of an answer: what the model thinks, or what it says. */
export interface Said {
  readonly kind: 'reasoning' | 'text';
  readonly text: string;
}

const OPEN = '<think>';
const CLOSE = '</think>';

/**
 * Tells thoughts apart that a model writes into its text, as many local ones do: `<think>...</think>` at the very start of an
 * answer. Anywhere else it is text, because models also write about such tags.
 */
export class ThinkTags {
  #state: 'start' | 'thinking' | 'after' | 'text' = 'start';
  /** What may turn out to be a tag or the space around it. */
  #waiting = '';

  add(piece: string): Said[] {
    const text = this.#waiting + piece;
    this.#waiting = '';
    switch (this.#state) {
      case 'start':
        return this.#start(text);
      case 'thinking':
        return this.#think(text);
      case 'after':
        return this.#after(text);
      case 'text':
        return said('text', text);
    }
  }

  /** Called at the end of the text; what waits is no tag then. */
  end(): Said[] {
    const kind = this.#state === 'thinking' ? 'reasoning' : 'text';
    const waiting = this.#state === 'after' ? '' : this.#waiting;
    this.#waiting = '';
    return said(kind, waiting);
  }

  #start(text: string): Said[] {
    const trimmed = text.trimStart();
    if (trimmed.startsWith(OPEN)) {
      this.#state = 'thinking';
      return this.#think(trimmed.slice(OPEN.length));
    }
    if (OPEN.startsWith(trimmed)) {
      this.#waiting = text;
      return [];
    }
    this.#state = 'text';
    return said('text', text);
  }

  #think(text: string): Said[] {
    const end = text.indexOf(CLOSE);
    if (end >= 0) {
      this.#state = 'after';
      return [...said('reasoning', text.slice(0, end)), ...this.#after(text.slice(end + CLOSE.length))];
    }
    const kept = startOfTag(text);
    this.#waiting = text.slice(text.length - kept);
    return said('reasoning', text.slice(0, text.length - kept));
  }

  /** The empty lines between thoughts and answer belong to neither. */
  #after(text: string): Said[] {
    const trimmed = text.trimStart();
    if (trimmed !== '') this.#state = 'text';
    return said('text', trimmed);
  }
}

/** How many characters at the end could be the start of the closing tag. */
function startOfTag(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--) {
    if (CLOSE.startsWith(text.slice(text.length - length))) return length;
  }
  return 0;
}

function said(kind: Said['kind'], text: string): Said[] {
  return text === '' ? [] : [{ kind, text }];
}

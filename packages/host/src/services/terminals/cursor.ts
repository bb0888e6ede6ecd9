import { endOfSequence, nextSequence } from './vt-sequence.js';

/**
 * Follows where the cursor is, for programs that ask. It knows the movements that programs make and how text wraps, and
 * nothing of what is on the screen.
 */
export class Cursor {
  #cols: number;
  #rows: number;
  #row = 0;
  #column = 0;
  /** After the last column: the next character wraps. */
  #isWrapping = false;
  #top = 0;
  #bottom: number;
  #saved = { row: 0, column: 0 };
  #unfinished = '';

  constructor({ cols, rows }: { readonly cols: number; readonly rows: number }) {
    this.#cols = cols;
    this.#rows = rows;
    this.#bottom = rows - 1;
  }

  /** Counted from 1. */
  get position(): { row: number; column: number } {
    return { row: this.#row + 1, column: this.#column + 1 };
  }

  resize({ cols, rows }: { readonly cols: number; readonly rows: number }): void {
    this.#cols = cols;
    this.#rows = rows;
    this.#top = 0;
    this.#bottom = rows - 1;
    this.#move(this.#row, this.#column);
  }

  write(text: string): void {
    const all = this.#unfinished + text;
    this.#unfinished = '';
    let at = 0;
    for (let start = nextSequence(all, 0); start >= 0; start = nextSequence(all, at)) {
      this.#print(all.slice(at, start));
      const end = endOfSequence(all, start);
      if (end === undefined) {
        this.#unfinished = all.slice(start, start + MAX_UNFINISHED_CHARS);
        return;
      }
      this.#apply(all.slice(start, end));
      at = end;
    }
    this.#print(all.slice(at));
  }

  #print(text: string): void {
    for (const character of text) {
      const code = character.codePointAt(0) ?? 0;
      if (code >= 0x20 && code !== 0x7f) this.#put(widthOf(code));
      else this.#control(code);
    }
  }

  #put(width: number): void {
    if (width === 0) return;
    if (this.#isWrapping || this.#column + width > this.#cols) {
      this.#column = 0;
      this.#lineFeed();
    }
    this.#column += width;
    this.#isWrapping = this.#column >= this.#cols;
    if (this.#isWrapping) this.#column = this.#cols - 1;
  }

  #control(code: number): void {
    switch (code) {
      case 0x08:
        this.#move(this.#row, this.#column - 1);
        return;
      case 0x09:
        this.#move(this.#row, (Math.floor(this.#column / TAB) + 1) * TAB);
        return;
      case 0x0a:
      case 0x0b:
      case 0x0c:
        this.#isWrapping = false;
        this.#lineFeed();
        return;
      case 0x0d:
        this.#move(this.#row, 0);
        return;
    }
  }

  #lineFeed(): void {
    this.#isWrapping = false;
    if (this.#row !== this.#bottom && this.#row < this.#rows - 1) this.#row++;
  }

  #apply(sequence: string): void {
    const control = /^\x1b\[([?>=]?)([\d;]*)([ -/]*)(.)$/.exec(sequence);
    if (!control) {
      this.#applyShort(sequence);
      return;
    }
    const [, prefix, parameters = '', between, final = ''] = control;
    const [first = 0, second = 0] = parameters.split(';').map(Number);
    if (prefix === '?' && final === 'h' && first === 1049) this.#saved = { row: this.#row, column: this.#column };
    if (prefix === '?' && final === 'l' && first === 1049) this.#move(this.#saved.row, this.#saved.column);
    if (prefix !== '' || between !== '') return;
    const count = first || 1;
    switch (final) {
      case 'A':
        this.#move(this.#up(count), this.#column);
        return;
      case 'B':
      case 'e':
        this.#move(this.#down(count), this.#column);
        return;
      case 'C':
      case 'a':
        this.#move(this.#row, this.#column + count);
        return;
      case 'D':
        this.#move(this.#row, this.#column - count);
        return;
      case 'E':
        this.#move(this.#down(count), 0);
        return;
      case 'F':
        this.#move(this.#up(count), 0);
        return;
      case 'G':
      case '`':
        this.#move(this.#row, count - 1);
        return;
      case 'H':
      case 'f':
        this.#move(count - 1, (second || 1) - 1);
        return;
      case 'd':
        this.#move(count - 1, this.#column);
        return;
      case 'r':
        this.#top = Math.min(count, this.#rows) - 1;
        this.#bottom = Math.min(second || this.#rows, this.#rows) - 1;
        this.#move(0, 0);
        return;
      case 's':
        this.#saved = { row: this.#row, column: this.#column };
        return;
      case 'u':
        this.#move(this.#saved.row, this.#saved.column);
        return;
    }
  }

  #applyShort(sequence: string): void {
    switch (sequence) {
      case '\x1b7':
        this.#saved = { row: this.#row, column: this.#column };
        return;
      case '\x1b8':
        this.#move(this.#saved.row, this.#saved.column);
        return;
      case '\x1bD':
        this.#lineFeed();
        return;
      case '\x1bE':
        this.#column = 0;
        this.#lineFeed();
        return;
      case '\x1bM':
        if (this.#row !== this.#top) this.#move(this.#row - 1, this.#column);
        return;
      case '\x1bc':
        this.#saved = { row: 0, column: 0 };
        this.resize({ cols: this.#cols, rows: this.#rows });
        this.#move(0, 0);
        return;
    }
  }

  /** The margins stop only what starts between them. */
  #up(count: number): number {
    return Math.max(this.#row - count, this.#row >= this.#top ? this.#top : 0);
  }

  #down(count: number): number {
    return Math.min(this.#row + count, this.#row <= this.#bottom ? this.#bottom : this.#rows - 1);
  }

  #move(row: number, column: number): void {
    this.#isWrapping = false;
    this.#row = Math.max(0, Math.min(row, this.#rows - 1));
    this.#column = Math.max(0, Math.min(column, this.#cols - 1));
  }
}

/** Columns of a tab. */
const TAB = 8;
/** UTF-16 units kept of a sequence that goes on in the next piece. None that moves the cursor is longer. */
const MAX_UNFINISHED_CHARS = 64;

function widthOf(code: number): number {
  if (code < 0x300) return code >= 0x80 && code < 0xa0 ? 0 : 1;
  const character = String.fromCodePoint(code);
  if (/\p{Mark}|\p{Default_Ignorable_Code_Point}/u.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

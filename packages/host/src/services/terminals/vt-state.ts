import { applySgr, sgrText } from './sgr.js';

/**
 * The state that earlier output leaves in a terminal and later output relies on: colours, modes, character sets, a
 * link.
 */
export class VtState {
  #sgr: ReadonlyMap<string, string> = new Map();
  /** Attribute changes not applied yet. They are applied only on demand, because most are reset before. */
  #pending: string[] = [];
  #modes = new Map<string, 'h' | 'l'>();
  /** Other settings: name to the sequence that sets it. */
  #others = new Map<string, string>();
  /** The start of a sequence that continues in the text after the cut. */
  unfinished = '';

  clone(): VtState {
    const copy = new VtState();
    copy.take(this);
    return copy;
  }

  take(other: VtState): void {
    this.#sgr = other.#sgr;
    this.#pending = [...other.#pending];
    this.#modes = new Map(other.#modes);
    this.#others = new Map(other.#others);
  }

  /** Whether a full-screen program is running. */
  get isAlternate(): boolean {
    return ALTERNATE_SCREEN.some((mode) => this.#modes.get(mode) === 'h');
  }

  /** Applies a complete sequence of the text. */
  apply(text: string, start: number, end: number): void {
    if (text[start] !== '\x1b') {
      this.#others.set('shift', text.slice(start, end));
      return;
    }
    switch (text[start + 1]) {
      case '[':
        this.#applyControl(text, start, end);
        return;
      case ']':
        this.#applyLink(text.slice(start, end));
        return;
      case 'c':
        this.take(new VtState());
        return;
      case '=':
      case '>':
        this.#set('keypad', text.slice(start, end));
        return;
      case '(':
      case ')':
      case '*':
      case '+':
        this.#set(`charset ${text[start + 1]}`, text.slice(start, end));
        return;
    }
  }

  /** The sequences that bring a terminal into this state; `within` leaves out switching to the full-screen program. */
  preamble({ within = false } = {}): string {
    const modes = [...this.#modes].filter(([mode]) => !within || !ALTERNATE_SCREEN.includes(mode));
    const set = modes.map(([mode, value]) => `\x1b[${mode}${value}`).join('');
    this.#applyPending();
    return `${set}${[...this.#others.values()].join('')}${sgrText(this.#sgr)}${this.unfinished}`;
  }

  #applyControl(text: string, start: number, end: number): void {
    switch (text[end - 1]) {
      case 'm':
        this.#setAttributes(text.slice(start + 2, end - 1));
        return;
      case 'h':
      case 'l':
        this.#setModes(text.slice(start + 2, end - 1), text[end - 1] === 'h' ? 'h' : 'l');
        return;
      case 'r':
        this.#set('region', text.slice(start, end));
        return;
      case 'q':
        if (text[end - 2] === ' ') this.#set('cursor', text.slice(start, end));
        return;
      case 'p':
        if (text[end - 2] === '!') this.#softReset();
        return;
    }
  }

  #applyLink(sequence: string): void {
    const target = /^\x1b\]8;[^;]*;([^\x07\x1b\x9c]*)/.exec(sequence)?.[1];
    if (target === '') this.#others.delete('link');
    else if (target !== undefined) this.#set('link', sequence);
  }

  #softReset(): void {
    this.#setAttributes('');
    this.#others.clear();
    this.#setModes('?6', 'l');
    this.#setModes('?25', 'h');
  }

  #setAttributes(parameters: string): void {
    if (parameters === '' || parameters === '0') {
      this.#sgr = new Map();
      this.#pending.length = 0;
    } else if (this.#pending.push(parameters) >= MAX_UNAPPLIED) this.#applyPending();
  }

  #applyPending(): void {
    for (const parameters of this.#pending) this.#sgr = applySgr(this.#sgr, parameters);
    this.#pending.length = 0;
  }

  #setModes(parameters: string, value: 'h' | 'l'): void {
    const prefix = parameters.startsWith('?') ? '?' : '';
    for (const number of parameters.slice(prefix.length).split(';')) {
      if (!/^\d{1,4}$/.test(number) || number === '1048') continue; // 1048 saves the cursor; it is not a mode
      const mode = prefix + number;
      if (this.#modes.size < MAX_MODES || this.#modes.has(mode)) this.#modes.set(mode, value);
    }
  }

  #set(what: string, sequence: string): void {
    if (sequence.length <= MAX_KEPT_SEQUENCE_CHARS) this.#others.set(what, sequence);
  }
}

const ALTERNATE_SCREEN = ['?47', '?1047', '?1049'];

/** Modes remembered: about fifty exist, and a program must not fill memory with made-up ones. */
const MAX_MODES = 128;

/** Attribute changes that may wait to be applied. */
const MAX_UNAPPLIED = 64;

/** UTF-16 units kept of one setting: a link may be long. */
const MAX_KEPT_SEQUENCE_CHARS = 4 * 1024;

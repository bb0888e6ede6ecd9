import { applySgr, sgrText } from './sgr.js';

/** What earlier output leaves behind in a terminal and later output relies on: colours, modes, character sets, a link. */
export class VtState {
  #sgr: ReadonlyMap<string, string> = new Map();
  /** Attributes that were set since; worked out only when they are asked for, because most are reset before. */
  #unapplied: string[] = [];
  #modes = new Map<string, 'h' | 'l'>();
  /** Other settings by what they set; the value is the sequence that sets it. */
  #others = new Map<string, string>();
  /** The start of a sequence that goes on in what comes next. */
  unfinished = '';

  clone(): VtState {
    const copy = new VtState();
    copy.take(this);
    return copy;
  }

  take(other: VtState): void {
    this.#sgr = other.#sgr;
    this.#unapplied = [...other.#unapplied];
    this.#modes = new Map(other.#modes);
    this.#others = new Map(other.#others);
  }

  /** Whether a full-screen program has the terminal. */
  get isAlternate(): boolean {
    return ALTERNATE_SCREEN.some((mode) => this.#modes.get(mode) === 'h');
  }

  /** Takes the complete sequence between two places of a text into account. */
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

  /** The sequences that bring a terminal into this state; `within` a full-screen program that has it already. */
  preamble({ within = false } = {}): string {
    const modes = [...this.#modes].filter(([mode]) => !within || !ALTERNATE_SCREEN.includes(mode));
    const set = modes.map(([mode, value]) => `\x1b[${mode}${value}`).join('');
    this.#settle();
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
      this.#unapplied.length = 0;
    } else if (this.#unapplied.push(parameters) >= MAX_UNAPPLIED) this.#settle();
  }

  #settle(): void {
    for (const parameters of this.#unapplied) this.#sgr = applySgr(this.#sgr, parameters);
    this.#unapplied.length = 0;
  }

  #setModes(parameters: string, value: 'h' | 'l'): void {
    const prefix = parameters.startsWith('?') ? '?' : '';
    for (const number of parameters.slice(prefix.length).split(';')) {
      if (!/^\d{1,4}$/.test(number) || number === '1048') continue; // 1048 is the cursor, not a mode
      const mode = prefix + number;
      if (this.#modes.size < MAX_MODES || this.#modes.has(mode)) this.#modes.set(mode, value);
    }
  }

  #set(what: string, sequence: string): void {
    if (sequence.length <= MAX_KEPT_SEQUENCE_CHARS) this.#others.set(what, sequence);
  }
}

const ALTERNATE_SCREEN = ['?47', '?1047', '?1049'];

/** Modes that are remembered: there are some fifty, and a program must not fill the memory with others. */
const MAX_MODES = 128;

/** Changes of attributes that may wait to be worked out. */
const MAX_UNAPPLIED = 64;

/** UTF-16 units of one setting that are remembered: a link may be long. */
const MAX_KEPT_SEQUENCE_CHARS = 4 * 1024;

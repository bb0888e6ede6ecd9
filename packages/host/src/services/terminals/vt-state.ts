import { applySgr, sgrText } from './sgr.js';

/** What earlier output leaves behind in a terminal and later output relies on: colours, modes, character sets, a link. */
export class VtState {
  sgr: ReadonlyMap<string, string> = new Map();
  modes: ReadonlyMap<string, 'h' | 'l'> = new Map();
  /** Other settings by what they set; the value is the sequence that sets it. */
  others: ReadonlyMap<string, string> = new Map();
  /** The start of a sequence that goes on in what comes next. */
  unfinished = '';

  clone(): VtState {
    const copy = new VtState();
    copy.sgr = this.sgr;
    copy.modes = this.modes;
    copy.others = this.others;
    return copy;
  }

  /** Whether a full-screen program has the terminal. */
  get isAlternate(): boolean {
    return ALTERNATE_SCREEN.some((mode) => this.modes.get(`?${mode}`) === 'h');
  }

  /** Takes one complete sequence into account. */
  apply(sequence: string): void {
    if (sequence === '\x1bc') {
      this.sgr = new Map();
      this.modes = new Map();
      this.others = new Map();
      return;
    }
    const control = CONTROL.exec(sequence);
    if (control) this.#applyControl(sequence, control[1] ?? '', control[2] ?? '');
    else if (sequence.startsWith('\x1b]8;')) {
      this.#set('link', /^\x1b\]8;[^;]*;[\x07\x1b\x9c]/.test(sequence) ? undefined : sequence);
    } else if (sequence === '\x1b=' || sequence === '\x1b>') this.#set('keypad', sequence);
    else if (/^\x1b[()*+]/.test(sequence)) this.#set(`charset ${sequence[1]}`, sequence);
    else if (sequence === '\x0e' || sequence === '\x0f') this.#set('shift', sequence);
  }

  /** The sequences that bring a terminal into this state; `within` a full-screen program that has it already. */
  preamble({ within = false } = {}): string {
    const modes = [...this.modes].filter(([mode]) => !within || !ALTERNATE_SCREEN.includes(mode.slice(1)));
    const set = modes.map(([mode, value]) => `\x1b[${mode}${value}`).join('');
    return `${set}${[...this.others.values()].join('')}${sgrText(this.sgr)}${this.unfinished}`;
  }

  #applyControl(sequence: string, parameters: string, final: string): void {
    if (final === 'm') this.sgr = applySgr(this.sgr, parameters);
    else if (final === 'h' || final === 'l') this.#setModes(parameters, final);
    else if (final === 'r' && /^[\d;]*$/.test(parameters)) this.#set('region', sequence);
    else if (final === ' q') this.#set('cursor', sequence);
    else if (final === '!p') {
      this.sgr = new Map();
      this.others = new Map();
      this.#setModes('?6', 'l');
      this.#setModes('?25', 'h');
    }
  }

  #setModes(parameters: string, value: 'h' | 'l'): void {
    const isPrivate = parameters.startsWith('?');
    const numbers = (isPrivate ? parameters.slice(1) : parameters).split(';');
    const modes = new Map(this.modes);
    for (const number of numbers) {
      if (!/^\d{1,4}$/.test(number) || number === '1048') continue; // 1048 is the cursor, not a mode
      const mode = isPrivate ? `?${number}` : number;
      if (modes.size < MAX_MODES || modes.has(mode)) modes.set(mode, value);
    }
    this.modes = modes;
  }

  #set(what: string, sequence: string | undefined): void {
    const others = new Map(this.others);
    if (sequence === undefined) others.delete(what);
    else if (sequence.length <= MAX_KEPT_SEQUENCE_CHARS) others.set(what, sequence);
    this.others = others;
  }
}

const ALTERNATE_SCREEN = ['47', '1047', '1049'];

/** Modes that are remembered: there are some fifty, and a program must not fill the memory with others. */
const MAX_MODES = 128;

/** UTF-16 units of one setting that are remembered: a link may be long. */
const MAX_KEPT_SEQUENCE_CHARS = 4 * 1024;

const CONTROL = /^\x1b\[([0-?]*)([ -/]*[@-~])$/;

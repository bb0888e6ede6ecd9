/** A question that a program asks its terminal by writing an escape sequence, without what introduces and ends it. */
export interface TerminalQuery {
  readonly kind: 'control' | 'status' | 'id';
  /** Of a control sequence: parameters and the letters at its end, such as `?6n`. Of a status string: how it begins. */
  readonly text: string;
}

/**
 * Takes queries out of a terminal's output, wherever it is cut into pieces. Every emulator that shows the output would
 * answer them, also when it is old, and the answers would be typed into whatever runs by then. So the host answers, once.
 */
export class QueryFilter {
  /** The start of a sequence that may become a query. */
  #held = '';
  /** Inside a string that is dropped, up to its end. */
  #isDropping = false;

  push(text: string): (string | TerminalQuery)[] {
    const pieces: (string | TerminalQuery)[] = [];
    const keep = (part: string) => {
      if (part === '') return;
      const last = pieces.length - 1;
      const before = pieces[last];
      if (typeof before === 'string') pieces[last] = before + part;
      else pieces.push(part);
    };
    let rest = this.#held + text;
    this.#held = '';
    while (rest !== '') {
      if (this.#isDropping) {
        const end = /[\x07\x18\x1a\x9c]|\x1b(\\|$)?/.exec(rest);
        if (!end) return pieces;
        if (end[0] === '\x1b' && end.index === rest.length - 1) {
          this.#held = '\x1b';
          return pieces;
        }
        this.#isDropping = false;
        // Any other sequence ends a string, too.
        rest = rest.slice(end.index + (end[0] === '\x1b' ? 0 : end[0].length));
        continue;
      }
      const start = rest.search(/[\x1b\x90\x9a\x9b\x9d\x9f]/);
      if (start < 0) {
        keep(rest);
        return pieces;
      }
      keep(rest.slice(0, start));
      rest = rest.slice(start);
      const control = CONTROL.exec(rest);
      const string = control ? null : STRING.exec(rest);
      if (control) {
        const [whole, inner = ''] = control;
        const plain = inner.replace(CONTROL_CHARACTERS, '');
        if (isQuery(plain)) {
          // Control characters inside a sequence count as if they came before it.
          keep(inner.replace(/[^\x00-\x1f]/g, ''));
          pieces.push({ kind: 'control', text: plain });
        } else keep(whole);
        rest = rest.slice(whole.length);
      } else if (string) {
        const [begin, status, graphics, asked] = string;
        if (status !== undefined) pieces.push({ kind: 'status', text: status });
        if (status !== undefined || graphics !== undefined || asked !== undefined) this.#isDropping = true;
        else keep(begin);
        rest = rest.slice(begin.length);
      } else if (/^(?:\x1b[\x00-\x17\x19\x1c-\x1f]*Z|\x9a)/.test(rest)) {
        pieces.push({ kind: 'id', text: '' });
        rest = rest.replace(/^(?:\x1b[\x00-\x17\x19\x1c-\x1f]*Z|\x9a)/, '');
      } else if (UNDECIDED.test(rest) && rest.length <= MAX_HELD_CHARS) {
        this.#held = rest;
        return pieces;
      } else {
        keep(rest.slice(0, 1));
        rest = rest.slice(1);
      }
    }
    return pieces;
  }

  /** What was held back when the output ends. */
  end(): string {
    const held = this.#isDropping ? '' : this.#held;
    this.#held = '';
    return held;
  }
}

/** The same output without its queries, for showing it. */
export function withoutQueries(filter: QueryFilter, text: string): string {
  return filter
    .push(text)
    .filter((piece) => typeof piece === 'string')
    .join('');
}

/** UTF-16 units held back of a sequence that may become a query. Longer ones are none that a terminal answers. */
const MAX_HELD_CHARS = 4 * 1024;

const CONTROL_CHARACTERS = /[\x00-\x1f\x7f]/g;
const CONTROL = /^(?:\x1b[\x00-\x17\x19\x1c-\x1f\x7f]*\[|\x9b)([\x00-\x17\x19\x1c-\x3f\x7f]*[\x40-\x7e])/;
/**
 * Strings that ask or are answered: requests for a status or a capability (DCS), pictures (APC), and commands (OSC) that ask
 * for colours or the clipboard.
 */
const STRING =
  /^(?:(?:\x1bP|\x90)[\d;]*([$+]q)|(?:\x1b_|\x9f)(G)|(?:\x1b\]|\x9d)((?:4|5|1\d|2[12]|52|60|61)(?:;[^;\x07\x18\x1a\x1b\x9c]{0,64}){0,256};\?))/;
/** The start of any of these. */
const UNDECIDED =
  /^(?:\x1b[\x00-\x17\x19\x1c-\x1f\x7f]*(?:\[[\x00-\x17\x19\x1c-\x3f\x7f]*)?|\x9b[\x00-\x17\x19\x1c-\x3f\x7f]*|(?:\x1bP|\x90)[\d;]*[$+]?|\x1b_|\x9f|(?:\x1b\]|\x9d)(?:\d{0,2}|(?:4|5|1\d|2[12]|52|60|61)(?:;[^;\x07\x18\x1a\x1b\x9c]{0,64}){0,256};?))$/;

/** Control sequences that terminals answer: identity, status, modes, sizes, keyboard, graphics, checksums. */
function isQuery(text: string): boolean {
  return /^(?:[>=]?[\d;]*c|\??[\d;]*n|\??[\d;]*\$p|>[\d;]*q|\?[\d;]*[uSm]|(?:1[13-689]|2[01])[\d;]*t|[01]?x|[\d;]*(?:\*y|\$[wu]|&u|"v|#[R|]))$/.test(
    text,
  );
}

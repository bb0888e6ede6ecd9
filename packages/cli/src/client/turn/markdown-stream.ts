import { Lexer, type Token } from 'marked';
import { colour } from '../output/out.js';

type Paint = (text: string) => string;

/** Characters held back for the end of an emphasis or a link; text with a lone `*` must not wait for the end of its line. */
const MAX_HELD = 300;

/**
 * Renders markdown for a terminal while it arrives. Only what may still become something else is held back: the mark at
 * the start of a line, and an emphasis, a code or a link that has not ended. It must be given text without control
 * characters.
 */
export class MarkdownStream {
  /** What has arrived of the current line and is not rendered yet. */
  #rest = '';
  /** How the rest of a line is painted whose start has been rendered. */
  #paint: Paint | undefined;
  /** The characters that end the code block we are in. */
  #fence: string | undefined;

  push(text: string): string {
    const [first = '', ...more] = text.split('\n');
    this.#rest += first;
    let out = '';
    for (const line of more) {
      out += `${this.flush()}\n`;
      this.#paint = undefined;
      this.#rest = line;
    }
    return out + this.#render(cutOf(this.#rest, this.#paint !== undefined, this.#fence));
  }

  /** Renders what was held back. */
  flush(): string {
    return this.#render(this.#rest.length);
  }

  #render(length: number): string {
    const text = this.#rest.slice(0, length);
    if (text === '') return '';
    this.#rest = this.#rest.slice(length);
    if (this.#paint) return this.#fence === undefined ? inline(text, this.#paint) : this.#paint(text);
    return this.#start(text);
  }

  #start(text: string): string {
    const [, fence] = FENCE.exec(text) ?? [];
    if (fence !== undefined && (this.#fence === undefined || fence.startsWith(this.#fence))) {
      this.#fence = this.#fence === undefined ? fence : undefined;
      this.#paint = colour.dim;
      return colour.dim(text);
    }
    if (this.#fence !== undefined) {
      this.#paint = colour.cyan;
      return colour.cyan(text);
    }
    const [whole, indent = '', mark = ''] = MARK.exec(text) ?? [''];
    this.#paint = mark.startsWith('#') ? colour.bold : mark === '>' ? colour.dim : plainly;
    if (whole === '') return inline(text, this.#paint);
    const shown = /^[-*+]$/.test(mark) ? '•' : mark === '>' ? '│' : mark;
    return `${indent}${colour.dim(shown)} ${inline(text.slice(whole.length), this.#paint)}`;
  }
}

const FENCE = /^\s*(`{3,}|~{3,})/;
/** Headings, lists and quotes. */
const MARK = /^(\s*)(#{1,6}|[-*+]|>|\d{1,9}[.)])\s/;
/** The start of a line that may still become one of these. */
const UNDECIDED = /^\s*(?:#{0,6}|[-*+>]|\d{1,9}[.)]?|`{1,2}|~{1,2}|(?:`{3,}|~{3,}).*)$/;
/** Where an emphasis, a code or a link may begin. */
const OPENING = /(?<=^|[\s([{"'])(?:\*{1,3}|_{1,3}|~~?)(?=\S|$)|`|\[|!$|\\$/;

/** How much of the start of a line can be rendered before the rest of it is there. */
function cutOf(text: string, isStarted: boolean, fence: string | undefined): number {
  if (!isStarted && UNDECIDED.test(text)) return 0;
  if (fence !== undefined) return text.length;
  const last = Lexer.lexInline(text).at(-1);
  if (last?.type !== 'text') return text.length;
  const opening = OPENING.exec(last.raw)?.index;
  if (opening === undefined || last.raw.length - opening > MAX_HELD) return text.length;
  return text.length - last.raw.length + opening;
}

function inline(text: string, paint: Paint): string {
  return Lexer.lexInline(text)
    .map((token) => rendered(token, paint))
    .join('');
}

function rendered(token: Token, paint: Paint): string {
  const inner = (style: Paint) => {
    const tokens = 'tokens' in token ? (token.tokens ?? []) : [];
    return tokens.map((each) => rendered(each, (text) => style(paint(text)))).join('');
  };
  switch (token.type) {
    case 'strong':
      return inner(colour.bold);
    case 'em':
      return inner(colour.italic);
    case 'del':
      return inner(colour.strikethrough);
    case 'codespan':
      return colour.cyan(token.text);
    case 'escape':
      return paint(token.text);
    case 'link': // one that says something else than where it leads shows both
      if (token.raw === token.text) return paint(token.raw);
      return `${inner(colour.underline)}${colour.dim(` (${token.href})`)}`;
    default:
      return paint(token.raw);
  }
}

function plainly(text: string): string {
  return text;
}

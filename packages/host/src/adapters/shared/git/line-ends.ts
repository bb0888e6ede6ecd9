/** How git converts the line ends of a file. The `auto` ones leave files alone that do not look like text. */
export type LineEnds = 'none' | 'lf' | 'crlf' | 'auto-lf' | 'auto-crlf';

export interface LineEndSettings {
  /** `core.autocrlf` */
  readonly autocrlf: 'true' | 'input' | 'false';
  /** `core.eol` */
  readonly eol: string | undefined;
}

/** The attributes of a file that decide about its line ends, as `git check-attr` writes them. */
export interface LineEndAttributes {
  readonly text?: string | undefined;
  /** The old name of `text`. */
  readonly crlf?: string | undefined;
  readonly eol?: string | undefined;
}

/** What git's attributes and settings say together, by the rules of gitattributes(5). */
export function lineEndsOf({ text, crlf, eol }: LineEndAttributes, settings: LineEndSettings): LineEnds {
  const { autocrlf } = settings;
  const isCrlf = autocrlf === 'true' || (autocrlf === 'false' && settings.eol === 'crlf');
  const wanted = decided(text) ?? decided(crlf);
  if (wanted === 'unset') return 'none';
  if (wanted === 'auto') return eol === 'lf' ? 'auto-lf' : eol === 'crlf' || isCrlf ? 'auto-crlf' : 'auto-lf';
  if (eol === 'lf' || wanted === 'input') return eol === 'crlf' ? 'crlf' : 'lf';
  if (eol === 'crlf') return 'crlf';
  if (wanted === 'set') return isCrlf ? 'crlf' : 'lf';
  if (autocrlf === 'false') return 'none';
  return autocrlf === 'true' ? 'auto-crlf' : 'auto-lf';
}

function decided(value: string | undefined): 'set' | 'unset' | 'auto' | 'input' | undefined {
  return value === 'set' || value === 'unset' || value === 'auto' || value === 'input' ? value : undefined;
}

/**
 * The content with the line ends that git stores. `hasCrlfInIndex` is asked only if it matters: what git has guessed to
 * be text it does not convert once it is stored with CRLF.
 */
export async function toStoredLineEnds(
  content: Buffer,
  lineEnds: LineEnds,
  hasCrlfInIndex: () => Promise<boolean>,
): Promise<Buffer> {
  if (lineEnds === 'none' || !content.includes('\r\n')) return content;
  const isGuessed = lineEnds === 'auto-lf' || lineEnds === 'auto-crlf';
  if (isGuessed && (looksBinary(content) || (await hasCrlfInIndex()))) return content;
  return Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

/** Whether git takes a stored content for text with CRLF. */
export function isCrlfText(content: Buffer): boolean {
  return content.includes('\r\n') && !looksBinary(content);
}

/** Git's guess, other than the one for diffs: no NUL, no lone CR, and few control characters. */
function looksBinary(content: Buffer): boolean {
  let [printable, others] = [0, 0];
  for (let at = 0; at < content.length; at++) {
    const byte = content[at] ?? 0;
    if (byte === CR) {
      if (content[at + 1] !== LF) return true;
      at++;
    } else if (byte === 0) return true;
    else if (byte === DEL || (byte < 32 && !TEXT_CONTROLS.has(byte))) others++;
    else if (byte !== LF) printable++;
  }
  if (content.at(-1) === END_OF_FILE) others--;
  return printable >> 7 < others;
}

const [CR, LF, DEL, END_OF_FILE] = [0x0d, 0x0a, 0x7f, 0x1a];
/** Backspace, tab, line feed, form feed and escape. */
const TEXT_CONTROLS = new Set([0x08, 0x09, 0x0a, 0x0c, 0x1b]);

import type { TerminalQuery } from '@moorage/protocol/internal';

interface Facts {
  readonly cols: number;
  readonly rows: number;
  /** Counted from 1. Asked for only when it is needed. */
  readonly cursor: () => { readonly row: number; readonly column: number };
}

/**
 * What the host types for a query. It describes the terminal that programs here have, like xterm without extras. What
 * depends on who is watching, such as colours, has no answer, and nothing that a program chose is ever repeated.
 */
export function answerTo({ kind, text }: TerminalQuery, { cols, rows, cursor }: Facts): string | undefined {
  if (kind === 'id') return DEVICE;
  // A terminal says that it knows neither the setting nor the capability.
  if (kind === 'status') return text === '$q' ? '\x1bP0$r\x1b\\' : '\x1bP0+r\x1b\\';
  const mode = /^(\??)(\d{1,5})\$p$/.exec(text);
  if (mode) return `\x1b[${mode[1]}${mode[2]};0$y`; // 0: not recognized
  switch (text) {
    case 'c':
    case '0c':
      return DEVICE;
    case '>c':
    case '>0c':
      return '\x1b[>0;276;0c';
    case '5n':
      return '\x1b[0n';
    case '6n':
    case '?6n': {
      const { row, column } = cursor();
      return `\x1b[${text === '?6n' ? '?' : ''}${row};${column}R`;
    }
    case '>q':
    case '>0q':
      return '\x1bP>|moorage\x1b\\';
    case '18t':
      return `\x1b[8;${rows};${cols}t`;
    default:
      return undefined;
  }
}

/** A VT100 with advanced video, as xterm.js says of itself. */
const DEVICE = '\x1b[?1;2c';

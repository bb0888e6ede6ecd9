import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { UsageError } from './usage-error.js';

/** The value of a configuration file: JSON that may have comments and trailing commas. */
export function parseJsonc(file: string, text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (!first) return value;
  const problem = PROBLEMS[printParseErrorCode(first.error)] ?? 'this is not JSON';
  throw new UsageError(`${file}:${lineAt(text, first.offset)}: ${problem}`);
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

const PROBLEMS: Readonly<Partial<Record<ReturnType<typeof printParseErrorCode>, string>>> = {
  PropertyNameExpected: 'expected a key in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected a colon after the key',
  CommaExpected: 'expected a comma',
  CloseBraceExpected: 'expected a closing brace }',
  CloseBracketExpected: 'expected a closing bracket ]',
  EndOfFileExpected: 'expected nothing more after the value',
  UnexpectedEndOfComment: 'this comment does not end',
  UnexpectedEndOfString: 'this string does not end',
};

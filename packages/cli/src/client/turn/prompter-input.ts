import { fstatSync } from 'node:fs';
import { toTerminal } from '../output/out.js';

/** Where answers come from: a person at this terminal, or a program that writes them, one a line. */
export type AnswerInput = 'terminal' | 'pipe';

/** Undefined when there is nobody to ask: no input (`/dev/null`), or all of it was read as the prompt. */
export function answerInput(): AnswerInput | undefined {
  if (process.stdin.isTTY) return toTerminal ? 'terminal' : undefined;
  if (process.stdin.readableEnded) return undefined;
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isFile() || input.isSocket() ? 'pipe' : undefined;
  } catch {
    return undefined; // it is closed
  }
}

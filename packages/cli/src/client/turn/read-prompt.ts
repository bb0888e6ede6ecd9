import { UsageError } from '../../usage-error.js';

/** A prompt of this size easily fits into one message of the protocol. */
const MAX_PROMPT_BYTES = 1024 * 1024;

/** The prompt from the arguments, or all of standard input when there are none or just `-`. */
export async function readPrompt(words: readonly string[]): Promise<string> {
  const prompt = words.length === 0 || (words.length === 1 && words[0] === '-') ? await readInput() : words.join(' ');
  if (prompt.trim() === '')
    throw new UsageError('the prompt is empty: say what to do, as arguments or on standard input');
  return prompt;
}

/** What comes from a pipe or a file; empty when nothing does. */
export async function readPiped(): Promise<string> {
  return process.stdin.isTTY ? '' : (await readInput()).trimEnd();
}

async function readInput(): Promise<string> {
  if (process.stdin.isTTY) throw new UsageError('say what to do, for example: moorage run "Fix the failing test"');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_PROMPT_BYTES) throw new UsageError(`the prompt is longer than ${MAX_PROMPT_BYTES} bytes`);
  }
  return Buffer.concat(chunks).toString('utf8').replace(/\n$/, '');
}

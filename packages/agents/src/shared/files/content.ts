import type { AgentFile, AgentFileContent } from '@moorage/host/ports';
import { ToolProblem } from '../tool-problem.js';

/** Bytes of a file that may be changed: both sides of every edit are stored, and may have to cross a pipe. */
export const MAX_EDIT_BYTES = 4 * 1024 * 1024;

/** Bytes of a file that `/read` shows: the text becomes part of the chat, which every client loads. */
export const MAX_READ_BYTES = 256 * 1024;

export function existing({ content, shown }: AgentFile): AgentFileContent {
  if (!content) throw new ToolProblem('notFound', `${shown} does not exist.`);
  return content;
}

/** The bytes as text that can be turned back into the same bytes; undefined when they are not UTF-8 text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function fileText({ shown }: AgentFile, { bytes }: AgentFileContent): string {
  const text = decodeText(bytes);
  if (text === undefined) throw new ToolProblem('notText', `${shown} is not a text file in UTF-8.`);
  return text;
}

export function tooLarge(shown: string, size: number): ToolProblem {
  const limit = `${Math.floor(MAX_EDIT_BYTES / 1024)} KiB`;
  return new ToolProblem('tooLarge', `${shown} is too large: ${size} bytes, the limit is ${limit}.`);
}

import { type AgentFile, AgentFileError, type AgentFiles } from '@moorage/host/ports';
import { ToolProblem } from '../tool-problem.js';
import { MAX_EDIT_BYTES } from './content.js';

/** What is at a path, which may be nothing. Rejects with a ToolProblem for anything but a file of up to `maxBytes`. */
export function readFile(files: AgentFiles, path: string, maxBytes = MAX_EDIT_BYTES): Promise<AgentFile> {
  return withReadableErrors(files.read(path, maxBytes));
}

/** Turns the host's refusal into a ToolProblem, which ends the call and not the turn. */
export async function withReadableErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof AgentFileError ? new ToolProblem(error.code, error.message, { cause: error }) : error;
  }
}

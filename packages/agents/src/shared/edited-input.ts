import { ToolProblem } from './tool-problem.js';

/** Parses the input of a call as the user edited it. */
export function parseEdited(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ToolProblem('badInput', 'The edited input is not valid JSON.', { cause });
  }
}

/** Why a tool call failed, in words for the user. It ends the call, not the turn. */
export class ToolProblem extends Error {
  override readonly name = 'ToolProblem';
  readonly code: string;

  constructor(code: string, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}

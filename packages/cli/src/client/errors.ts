/** Exit codes of `moorage`, documented in docs/COMMAND-LINE.md. */
export const ExitCode = { Done: 0, Failed: 1, WrongUsage: 2, Cancelled: 3, Detached: 4 } as const;

/** Something did not work out. The message says what to do about it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = ExitCode.Failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Programs that run in terminals of their own. Loading what that takes may wait until the first one is started. */
export interface Ptys {
  /** Starts a program in a new terminal. Throws a PtyError when that is not possible; then nothing is left behind. */
  spawn(options: PtyOptions): Pty;
}

/** Which program is run, with nothing of the host's own environment. */
export interface PtyOptions {
  /** An absolute path; so is `cwd`. Both must exist. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All of the program's environment: nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
}

/** One terminal. All that the program wrote arrives before its exit does, also when reading is paused at the end. */
export interface Pty {
  /** Input that the program has not read yet waits; past a bound more of it is dropped, as a full terminal line does. */
  write(data: string): void;
  /** Does nothing once the program has ended. */
  resize(cols: number, rows: number): void;
  /** Stops reading, so that the program has to wait; a few reads more may still arrive. */
  pause(): void;
  resume(): void;
  /** Hangs up; what does not end by that within a moment is killed. Does nothing once the program has ended. */
  kill(): void;
  onData(listener: (data: Uint8Array) => void): void;
  /** Called once, after the last data. */
  onExit(listener: (exit: PtyExit) => void): void;
}

/** How a program ended. */
export interface PtyExit {
  /** As shells count: of a program that a signal ended it is 128 and the signal's number. */
  readonly exitCode: number;
  /** The signal's number, if one ended it. */
  readonly signal?: number;
}

/** Why a terminal cannot be had. The message reaches clients. */
export class PtyError extends Error {
  override readonly name = 'PtyError';
}

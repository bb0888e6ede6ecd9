/** Runs programs in pseudo terminals. Native code may be loaded as late as the first `spawn`. */
export interface Ptys {
  /** Starts a program in a new terminal. Throws a PtyError, leaving nothing behind, when that is not possible. */
  spawn(options: PtyOptions): Pty;
}

/** The program to run. It must inherit no file handles of the host besides its terminal. */
export interface PtyOptions {
  /** The absolute path of an existing program. */
  readonly file: string;
  /** The arguments of the program. */
  readonly args: readonly string[];
  /** The absolute path of an existing folder. */
  readonly cwd: string;
  /** The program's whole environment: nothing is inherited from the host. */
  readonly env: Readonly<Record<string, string>>;
  /** The width in characters. */
  readonly cols: number;
  /** The height in lines. */
  readonly rows: number;
}

/**
 * A running terminal. Everything the program wrote is delivered before its exit is, even if reading is paused when it ends.
 * All calls do nothing once the program has ended.
 */
export interface Pty {
  /**
   * Types input. Never waits: unread input is queued, and dropped past a bound of no less than a million bytes, as a full terminal
   * line would drop it.
   */
  write(data: string): void;
  /** Gives the terminal another size, of which its program is told. */
  resize(cols: number, rows: number): void;
  /** Stops reading, so that the program blocks once its buffer is full. Up to 256 KiB may still arrive. */
  pause(): void;
  /** Reads on after `pause`. */
  resume(): void;
  /** Hangs up, and kills a program that has not ended shortly after. Background jobs end too, unless they ignore the hangup. */
  kill(): void;
  /** Raw bytes as they were read: a piece may end within a character or an escape sequence. */
  onData(listener: (data: Uint8Array) => void): void;
  /** The listener is called once, after the last data. */
  onExit(listener: (exit: PtyExit) => void): void;
}

/** How a program ended. */
export interface PtyExit {
  /** As shells report it: 128 plus the signal number for a program that a signal ended. */
  readonly exitCode: number;
  /** The number of the signal that ended the program, if one did. */
  readonly signal?: number;
}

/** Why a terminal cannot be opened. The message is sent to clients, and names the program or folder that is missing. */
export class PtyError extends Error {
  override readonly name = 'PtyError';
}

/** Says how the shells of this machine are started. Starts nothing itself. */
export interface Shells {
  /**
   * The user's interactive shell. If the shell supports it, it reports the start and end of commands in escape sequences
   * that contain the nonce; programs in the shell must not learn the nonce. Throws a PtyError when there is no shell; the other
   * calls work then, too.
   */
  interactive(nonce: string): ShellLaunch;
  /** A shell of the Bourne family that runs one command line and exits with its exit code. */
  commandLine(command: string): ShellLaunch;
  /** A program that gets exactly these arguments. The command is a path, or a name looked up on PATH; if there is none, the exit code is 127. */
  program(command: string, args: readonly string[]): ShellLaunch;
}

/** What `Ptys.spawn` needs to start a shell. */
export interface ShellLaunch {
  /** The program. */
  readonly file: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The title of the terminal until another is set; not empty. */
  readonly name: string;
}

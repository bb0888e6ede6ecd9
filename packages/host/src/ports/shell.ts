/** How the shells of this machine are started, and what they tell about the commands that they run. */
export interface Shells {
  /**
   * The user's shell, to be typed into. When it can report on commands it does so in sequences that carry the nonce.
   * Throws a PtyError when there is no shell.
   */
  interactive(nonce: string): ShellLaunch;
  /** A shell that runs one command line and ends with it. */
  commandLine(command: string): ShellLaunch;
  /** Runs a program with these arguments, as they are. */
  program(command: string, args: readonly string[]): ShellLaunch;
}

/** All that a pty needs to start it. */
export interface ShellLaunch {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What to call the terminal until something else names it. */
  readonly name: string;
}

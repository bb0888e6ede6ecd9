import type { URI } from '@moorage/protocol';

/**
 * How a session's programs are confined. `off`: not at all. Otherwise they can write in the session's folders only, and see
 * nobody's secrets; `network`: they reach whatever the host reaches, `listed`: only the hosts that the configuration lists,
 * `offline`: none.
 */
export type SandboxMode = 'off' | 'network' | 'listed' | 'offline';

/** Starts programs so that they reach only what is theirs. */
export interface Sandbox {
  /** What sessions get that do not choose. */
  readonly usual: SandboxMode;
  /** Why programs cannot be confined like this here, and what to do about it; undefined if they can. */
  problem(mode: SandboxMode): string | undefined;
  /** What to start instead of a program, so that it is confined. Rejects with a SandboxError: nothing may be started then. */
  confine(program: ConfinedProgram, box: SandboxBox): Promise<ConfinedLaunch>;
  /** Ends what serves the programs that are confined. */
  close(): Promise<void>;
}

/** What the programs of one session share. */
export interface SandboxBox {
  /** The session whose programs these are. */
  readonly session: URI;
  /** How they are confined. */
  readonly mode: Exclude<SandboxMode, 'off'>;
  /** The real paths of the session's folders, which its programs may change. */
  readonly folders: readonly string[];
}

export interface ConfinedProgram {
  /** A path, or a name that is looked up on the PATH in `env`. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder to start it in. */
  readonly cwd: string;
  /** Further paths that the program needs to change, such as its login; those that do not exist are left out. */
  readonly writable?: readonly string[];
  /** Paths that it needs to read, also within those that it may change. */
  readonly readable?: readonly string[];
}

export interface ConfinedLaunch {
  /** The absolute path of a program. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Why a program cannot be confined, and what to do. The message is shown to users. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}

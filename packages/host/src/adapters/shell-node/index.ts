import { accessSync, constants } from 'node:fs';
import { userInfo } from 'node:os';
import { basename } from 'node:path';
import { PtyError } from '../../ports/pty.js';
import type { Shells } from '../../ports/shell.js';
import { shellEnvironment } from './environment.js';
import { type ScriptFiles, writeScripts } from './script-files.js';

export interface NodeShellsOptions {
  /** Where the shell integration scripts are written. */
  readonly directory: string;
  /** An absolute path. Default: the user's shell. */
  readonly shell?: string;
  /** What shells inherit; default: that of this process. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Variables of the host that no shell gets, such as API keys. */
  readonly secrets?: readonly string[];
}

/** The shells of this machine, with the user's environment. Bash, zsh and fish also report the commands they run. */
export function nodeShells(options: NodeShellsOptions): Shells {
  const { directory, environment = process.env, secrets = [] } = options;
  const shell = () => options.shell ?? usersShell(environment);
  const env = () => shellEnvironment(environment, secrets);
  return {
    interactive(nonce) {
      const file = shell();
      assertRunnable(file);
      const name = basename(file);
      const launch = INTEGRATED[name];
      if (!launch) return { file, args: [], env: env(), name };
      const { args, variables } = launch(writeScripts(directory), environment);
      return { file, args, env: { ...env(), ...variables, MOORAGE_SHELL_NONCE: nonce }, name };
    },
    commandLine(command) {
      // Agents write commands for Bourne-like shells; others would parse them differently.
      const preferred = shell();
      const file = BOURNE.has(basename(preferred)) && isRunnable(preferred) ? preferred : '/bin/sh';
      return { file, args: ['-c', command], env: env(), name: command };
    },
    program(command, args) {
      // The shell looks the program up on the PATH and reports a missing one in the usual way.
      return {
        file: '/bin/sh',
        args: ['-c', 'exec "$@"', 'sh', command, ...args],
        env: env(),
        name: [command, ...args].join(' '),
      };
    },
  };
}

const BOURNE: ReadonlySet<string> = new Set(['bash', 'zsh', 'sh', 'dash', 'ksh']);

type Integration = (
  scripts: ScriptFiles,
  environment: NodeJS.ProcessEnv,
) => { args: string[]; variables?: Record<string, string> };

const INTEGRATED: Readonly<Record<string, Integration>> = {
  bash: ({ bash }) => ({ args: ['--rcfile', bash, '-i'] }),
  zsh: ({ zsh }, { ZDOTDIR }) => ({
    args: ['-i'],
    variables: { ZDOTDIR: zsh, ...(ZDOTDIR !== undefined && { MOORAGE_USER_ZDOTDIR: ZDOTDIR }) },
  }),
  fish: ({ fish }) => ({ args: ['--interactive', '--init-command', `source '${fish.replaceAll("'", "\\'")}'`] }),
};

function usersShell(environment: NodeJS.ProcessEnv): string {
  if (environment.SHELL) return environment.SHELL;
  try {
    return userInfo().shell || '/bin/sh';
  } catch {
    return '/bin/sh'; // the user has no passwd entry
  }
}

function assertRunnable(file: string): void {
  if (!isRunnable(file)) throw new PtyError(`there is no shell ${file}; set SHELL to one that is installed`);
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return file.startsWith('/');
  } catch {
    return false;
  }
}

import { accessSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PtyError, type PtyOptions, type Ptys } from '../../ports/pty.js';
import { SessionGuard } from '../../processes/session-guard.js';
import { NodePty } from './node-pty.js';
import { withoutInheritedFiles } from './without-inherited-files.js';

type Library = typeof import('@lydell/node-pty');

/** Real terminals. The native library is loaded with the first one, because many runs of a host open none. */
export function nodePtys(load: () => Library = loadLibrary): Ptys {
  let library: Library | undefined;
  const guard = new SessionGuard();
  return {
    spawn(options) {
      assertUsable(options);
      library ??= loadOrExplain(load);
      guard.prepare();
      const { cols, rows, cwd, env } = options;
      const { file, args } = withoutInheritedFiles(options);
      try {
        const name = env.TERM ?? 'xterm-256color';
        const pty = library.spawn(file, [...args], { name, cols, rows, cwd, env: { ...env }, encoding: null });
        guard.watch(pty.pid);
        const opened = new NodePty(pty);
        opened.onExit(() => (opened.wasKilled ? guard.hangUp(pty.pid) : guard.ended(pty.pid)));
        return opened;
      } catch (error) {
        throw new PtyError(`could not open a terminal: ${reasonOf(error)}`, { cause: error });
      }
    },
  };
}

/** The library reports a program that cannot be started as one that exited at once. Checking first gives a better message. */
function assertUsable({ file, cwd }: PtyOptions): void {
  try {
    accessSync(file, constants.X_OK);
  } catch (cause) {
    throw new PtyError(`${file} does not exist or cannot be run`, { cause });
  }
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) throw new PtyError(`there is no folder ${cwd}`);
}

function loadOrExplain(load: () => Library): Library {
  try {
    return load();
  } catch (cause) {
    throw new PtyError(
      `terminals do not work here: @lydell/node-pty has no usable binary for ${process.platform}-${process.arch}; ` +
        'install moorage again with optional dependencies',
      { cause },
    );
  }
}

function loadLibrary(): Library {
  return createRequire(import.meta.url)('@lydell/node-pty') as Library;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** Milliseconds for which a failure is remembered: whoever installs bubblewrap need not start the host again. */
const FAILED_MS = 5_000;

/** Milliseconds that starting an empty sandbox may take. */
const TRY_MS = 10_000;

/** Finds bubblewrap, and finds out by trying whether it can make namespaces here. */
export class Probe {
  readonly #program: string;
  #found: Found | undefined;

  constructor(program: string) {
    this.#program = program;
  }

  /** The path of bubblewrap, or why it cannot be used. */
  result(): { readonly file: string } | { readonly problem: string } {
    const found = this.#found;
    if (found && ('file' in found || performance.now() < found.until)) return found;
    this.#found = this.#try();
    return this.#found;
  }

  #try(): Found {
    const until = performance.now() + FAILED_MS;
    if (process.platform !== 'linux') return { problem: 'a sandbox needs Linux', until };
    const file = findOnPath(this.#program);
    if (file === undefined) return { problem: MISSING, until };
    const tried = spawnSync(file, [...NAMESPACES, '--unshare-net', '--ro-bind', '/', '/', '--proc', '/proc', 'true'], {
      timeout: TRY_MS,
      encoding: 'utf8',
    });
    if (tried.status === 0) return { file };
    const said = tried.error?.message ?? tried.stderr.trim().split('\n').at(-1)?.slice(0, MAX_SAID_CHARS);
    return { problem: `bubblewrap cannot make a sandbox here (${said || 'it said nothing'}); ${ALLOW}`, until };
  }
}

type Found = { readonly file: string } | { readonly problem: string; readonly until: number };

/** What every sandbox is separated from: other processes, their memory, and what only root may do. */
export const NAMESPACES = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--die-with-parent',
  '--cap-drop',
  'ALL',
];

const MISSING = 'bubblewrap is not installed; install it, for example with "apt-get install bubblewrap"';

const ALLOW =
  'let users make namespaces (sysctl kernel.unprivileged_userns_clone=1 and user.max_user_namespaces, on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0), or, if the host runs in a container, start that with permission to make them';

const MAX_SAID_CHARS = 300;

function findOnPath(program: string): string | undefined {
  const candidates = isAbsolute(program)
    ? [program]
    : (process.env.PATH ?? '')
        .split(':')
        .filter(isAbsolute)
        .map((folder) => join(folder, program));
  return candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

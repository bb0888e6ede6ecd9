import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInside } from '../../paths/inside.js';
import {
  type ConfinedLaunch,
  type ConfinedProgram,
  type Sandbox,
  type SandboxBox,
  SandboxError,
  type SandboxMode,
} from '../../ports/sandbox.js';
import { gitMounts } from './git-mounts.js';
import { type Mount, mountOptions, revealed } from './mounts.js';
import { NAMESPACES, Probe } from './probe.js';
import { programPaths, real } from './programs.js';
import { ListedNetwork } from './proxy.js';

export { isListedHost } from './listed-hosts.js';

export interface BubblewrapOptions {
  /** For temporary files of sessions and the socket of the network; emptied when the host starts. */
  readonly directory: string;
  /** What sessions get that do not choose; default: off. */
  readonly usual?: SandboxMode | undefined;
  /** The hosts of the mode `listed`, such as `api.example` or `*.example:8443`. */
  readonly hosts?: readonly string[] | undefined;
  /** Paths that programs must not see besides the usual ones: the host's data, token, configuration and socket. */
  readonly hidden: readonly string[];
  /** Paths below a hidden one that programs may read, such as tools in the user's home. */
  readonly readable?: readonly string[] | undefined;
  /** Bubblewrap, if it has another name. */
  readonly program?: string;
}

/** Confines programs with bubblewrap: Linux namespaces, in which the machine can only be read, and secrets are not there. */
export function bubblewrap(options: BubblewrapOptions): Sandbox {
  const { directory, usual = 'off', hosts = [] } = options;
  const probe = new Probe(options.program ?? 'bwrap');
  const network = new ListedNetwork(join(directory, 'network.sock'), hosts);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const problem = (mode: SandboxMode): string | undefined => {
    if (mode === 'off') return undefined;
    const found = probe.result();
    if ('problem' in found) return found.problem;
    if (mode !== 'listed' || hosts.length > 0) return undefined;
    return 'the configuration lists no hosts; add them as "sandbox": { "hosts": ["api.example"] }';
  };
  return {
    usual,
    problem,
    confine: async (program, box) => {
      const found = probe.result();
      const why = problem(box.mode);
      if (why !== undefined || !('file' in found)) throw new SandboxError(`A sandbox cannot be made: ${why}.`);
      if (box.mode === 'listed') await network.start();
      const temporary = temporaryFolder(directory, box);
      const mounts = await mountsOf(program, box, options, temporary);
      const env = { TMPDIR: temporary, ...program.env, ...(box.mode === 'listed' && PROXY) };
      const entry = box.mode === 'listed' ? [process.execPath, ENTRY, network.socket, PROXY_PORT] : [];
      const visible: Mount[] = entry.length === 0 ? [] : readable([process.execPath, ENTRY, network.socket]);
      const args = [
        ...NAMESPACES,
        ...(box.mode === 'network' ? [] : ['--unshare-net']),
        ...mountOptions([...mounts, ...visible]),
        '--chdir',
        program.cwd,
        '--',
        ...entry,
        program.command,
        ...program.args,
      ];
      return { command: found.file, args, env } satisfies ConfinedLaunch;
    },
    close: () => network.close(),
  };
}

async function mountsOf(
  program: ConfinedProgram,
  { folders }: SandboxBox,
  options: BubblewrapOptions,
  temporary: string,
): Promise<Mount[]> {
  const secrets = [homedir(), ...ALWAYS_HIDDEN, options.directory, ...options.hidden].flatMap(real);
  for (const folder of folders) {
    const secret = revealed(folder, secrets);
    if (secret !== undefined) throw new SandboxError(`A sandbox must hide ${secret}, which is in ${folder}. ${CHOOSE}`);
  }
  const git = (await Promise.all(folders.map(gitMounts))).flat();
  const changed = (program.writable ?? []).flatMap(real);
  const isOwn = (path: string) => [...folders, ...changed].some((folder) => isInside(path, folder));
  const tools = programPaths(program.command, program.env.PATH ?? '', isOwn);
  const shown: Mount[] = [
    ...readable([...tools, ...(options.readable ?? []), ...NEEDED, ...gitSettings()].flatMap(real)),
    ...writable(changed),
    ...readable((program.readable ?? []).flatMap((path) => withoutOwnLinks(path, isOwn))),
    ...git,
  ];
  return [
    ...secrets.map((path): Mount => ({ path, as: 'hidden' })),
    // A folder on the PATH, or the top of a repository, may be the home folder itself.
    ...shown.filter(({ path }) => revealed(path, secrets) === undefined),
    ...writable([...folders, temporary]),
  ];
}

/** The real path, unless it leads out of what the program may change: it could have made that link. */
function withoutOwnLinks(path: string, isOwn: (path: string) => boolean): string[] {
  const isInOwn = real(dirname(path)).some(isOwn);
  return real(path).filter((target) => !isInOwn || isOwn(target));
}

function readable(paths: readonly string[]): Mount[] {
  return paths.map((path) => ({ path, as: 'readable' }));
}

function writable(paths: readonly string[]): Mount[] {
  return paths.map((path) => ({ path, as: 'writable' }));
}

/** One for all programs of a session, because they pass files on to each other there. */
function temporaryFolder(directory: string, { session }: SandboxBox): string {
  const name = createHash('sha256').update(session).digest('hex').slice(0, 16);
  const folder = join(directory, `tmp-${name}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Other people's files, sockets of services, and what only root can read, in case the host runs as root. */
const ALWAYS_HIDDEN = [
  '/root',
  '/home',
  '/tmp',
  '/var/tmp',
  '/run',
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/ssh',
  '/etc/ssl/private',
];

/** Leads to a hidden folder on many machines. */
const NEEDED = ['/etc/resolv.conf'];

/** Who commits, and how; not where git keeps passwords. */
function gitSettings(): string[] {
  const home = homedir();
  return ['.gitconfig', '.config/git/config', '.config/git/ignore', '.config/git/attributes'].map((name) =>
    join(home, name),
  );
}

const CHOOSE = 'Choose a folder further down, or run the session with its setting "sandbox" off.';

/** Nothing else listens in the network of a sandbox when it starts. */
const PROXY_PORT = '3128';

const PROXY_URL = `http://127.0.0.1:${PROXY_PORT}`;

const PROXY = {
  HTTP_PROXY: PROXY_URL,
  HTTPS_PROXY: PROXY_URL,
  ALL_PROXY: PROXY_URL,
  http_proxy: PROXY_URL,
  https_proxy: PROXY_URL,
  all_proxy: PROXY_URL,
  NO_PROXY: '',
  no_proxy: '',
  NODE_USE_ENV_PROXY: '1', // Node's own fetch knows proxies only then
};

const ENTRY = fileURLToPath(new URL('./network-entry.js', import.meta.url));

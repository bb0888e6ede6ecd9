import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../node_modules/.cache/peers/', import.meta.url));
const PACKAGES = ['opencode-ai', '@openai/codex', '@agentclientprotocol/codex-acp'];

/** Installs the newest versions, or those that are there already. Gives their versions, or why there are none. */
export function installPeers() {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  if (!PACKAGES.every((name) => existsSync(manifestOf(name)))) {
    const installed = spawnSync('npm', ['install', '--no-audit', '--no-fund', ...PACKAGES], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (installed.status !== 0) return { problem: `not installed: ${installed.stderr.trim().split('\n').at(-1)}` };
  }
  const versions = Object.fromEntries(
    PACKAGES.map((name) => [name, JSON.parse(readFileSync(manifestOf(name), 'utf8')).version]),
  );
  return { versions };
}

export function peerBin(name) {
  return join(folder, 'node_modules', '.bin', name);
}

function manifestOf(name) {
  return join(folder, 'node_modules', name, 'package.json');
}

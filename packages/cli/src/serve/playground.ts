import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const README = `# Playground

A scratch git repository. Let an agent change things here; nothing of yours is touched.
`;

/** A small git repository to try things in. One that exists is used as it is. */
export function makePlayground(dataDir: string): string {
  const folder = join(dataDir, 'playground');
  if (existsSync(join(folder, '.git'))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'README.md'), README);
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...IDENTITY, ...args], { stdio: 'ignore' });
  git('init', '--quiet', '--initial-branch=main');
  git('add', 'README.md');
  git('commit', '--quiet', '--no-gpg-sign', '-m', 'Start a playground');
  return folder;
}

/** git needs an author, which a fresh machine may not have configured. */
const IDENTITY = ['-c', 'user.name=moorage', '-c', 'user.email=moorage@localhost', '-c', 'core.hooksPath=/dev/null'];

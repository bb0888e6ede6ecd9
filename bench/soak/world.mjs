import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCommand } from '../host/processes.mjs';

const FOLDERS = 10;
const FILES = 50;

/** A host as users run it, with folders to work in. */
export async function startWorld() {
  const home = mkdtempSync(join(tmpdir(), 'moorage-soak-'));
  const root = join(home, 'root');
  const folders = Array.from({ length: FOLDERS }, (_, index) => makeRepository(join(root, `project-${index}`)));
  const env = { ...process.env, HOME: home }; // what a user's shells do when they start is not the host's
  const host = await startCommand(join(home, 'data'), { root, env, stderr: 'inherit' });
  return {
    host,
    folders,
    async end() {
      await host.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function makeRepository(folder) {
  mkdirSync(join(folder, 'src'), { recursive: true });
  const git = (...args) => execFileSync('git', ['-C', folder, '-c', 'user.name=s', '-c', 'user.email=s@s', ...args]);
  for (let index = 0; index < FILES; index++) writeFileSync(join(folder, 'src', `${index}.txt`), 'a line\n'.repeat(40));
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'start');
  return folder;
}

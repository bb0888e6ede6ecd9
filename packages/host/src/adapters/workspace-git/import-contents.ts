import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, readFile, readlink } from 'node:fs/promises';
import type { ReadProgress } from '../../ports/workspace.js';
import { requirePipes } from '../../processes/require-pipes.js';
import { gitEnvironment } from '../shared/git/git.js';
import { gitUser } from '../shared/git/git-life.js';
import type { Shadow } from './shadow.js';

/**
 * Packs the contents of many files at once: git writes each new one as a file of its own otherwise, which takes five times as
 * long. What goes wrong here goes unsaid: what is missing afterwards, git writes itself.
 */
export async function importContents(
  { directory, top }: Shadow,
  paths: readonly string[],
  onProgress?: ReadProgress,
): Promise<void> {
  const args = ['--git-dir', directory, ...SETTINGS, 'fast-import', '--quiet', '--depth=0'];
  const child = requirePipes(spawn('git', args, { env: gitEnvironment(), stdio: ['pipe', 'ignore', 'ignore'] }));
  const { signal } = gitUser();
  const ended = new Promise<void>((resolve) => {
    child.on('error', () => child.pid === undefined && resolve());
    child.on('close', () => resolve());
  });
  let failed = false;
  child.stdin.on('error', () => {
    failed = true;
  });
  for (const [index, path] of paths.entries()) {
    onProgress?.(index, paths.length);
    // It is not killed: it would leave its unfinished pack behind.
    if (failed || signal?.aborted || child.exitCode !== null) break;
    const content = await contentOf(Buffer.concat([Buffer.from(`${top}/`), Buffer.from(path, 'latin1')]));
    if (!content) continue;
    child.stdin.write(`blob\ndata ${content.length}\n`);
    const isRoom = child.stdin.write(content) && child.stdin.write('\n');
    if (!isRoom) await Promise.race([once(child.stdin, 'drain').catch(() => undefined), ended]);
  }
  child.stdin.end();
  await ended;
}

/** An agent waits for it: packed better it is later. */
const SETTINGS = ['-c', 'fastimport.unpackLimit=0', '-c', 'pack.compression=1'];

async function contentOf(path: Buffer): Promise<Buffer | undefined> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) return Buffer.from(await readlink(path, { encoding: 'buffer' }));
    return found.isFile() ? await readFile(path) : undefined;
  } catch {
    return undefined;
  }
}

import type { FileHandle } from 'node:fs/promises';
import { type EditorFileSystem, nodeFileSystem } from '../../src/adapters/folder-editor-git/file-system.js';

export type Failure =
  /** One step fails, as a file that another program holds. */
  | 'once'
  /** From then on nothing can be written any more, but names can be changed. */
  | 'diskFull'
  /** From then on nothing works: the process is dead. */
  | 'dead';

const WRITING = new Set(['open', 'write', 'mkdir', 'symlink', 'link', 'writeFile']);

/** A file system that works until a step, and counts how many there are; something else may happen right before each. */
export function failingFileSystem(
  failAt: number,
  failure: Failure,
  before: (index: number) => void = () => {},
): { fs: EditorFileSystem; steps: () => number } {
  let steps = 0;
  const step = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
    const index = steps++;
    before(index);
    const hits =
      failure === 'once'
        ? index === failAt
        : index >= failAt && (failure === 'dead' || index === failAt || WRITING.has(name));
    if (hits) throw Object.assign(new Error(`${name} failed`), { code: failure === 'diskFull' ? 'ENOSPC' : 'EIO' });
    return run();
  };
  const wrapped = Object.fromEntries(
    Object.entries(nodeFileSystem)
      .filter(([, value]) => typeof value === 'function')
      .map(([name, value]) => [
        name,
        (...args: unknown[]) =>
          step(name, async () => {
            const result: unknown = await (value as (...all: unknown[]) => Promise<unknown>)(...args);
            return name === 'open' ? failingHandle(result as FileHandle, step) : result;
          }),
      ]),
  );
  return { fs: wrapped as unknown as EditorFileSystem, steps: () => steps };
}

type Step = <T>(name: string, run: () => Promise<T>) => Promise<T>;

function failingHandle(handle: FileHandle, step: Step): Partial<FileHandle> {
  return {
    writeFile: (data) => step('write', () => handle.writeFile(data)),
    chown: (uid, gid) => step('chown', () => handle.chown(uid, gid)),
    chmod: (mode) => step('chmod', () => handle.chmod(mode)),
    sync: () => step('sync', async () => {}), // there are thousands, and no power is cut: the disk need not be waited for
    close: () => handle.close(), // whatever else happens, the test must not leak them
  };
}

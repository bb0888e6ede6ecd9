import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileLists } from '../ports/index.js';

/** The contract of FileLists, as a vitest suite. `prepare` sets up what the adapter needs, such as a repository. */
export function describeFileLists(name: string, make: () => FileLists, prepare: (folder: string) => void): void {
  describe(`${name} is a FileLists`, () => {
    let base: string;
    let folder: string;
    beforeEach(() => {
      base = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-file-lists-')));
      folder = join(base, 'folder');
      mkdirSync(join(folder, 'sub', 'deep'), { recursive: true });
      prepare(folder);
    });
    afterEach(() => rmSync(base, { recursive: true, force: true }));

    const put = (path: string, text = '') => writeFileSync(join(folder, path), text);
    const list = async (signal = new AbortController().signal) => [...(await make().list(folder, signal))].sort();

    it('lists files at every depth, relative and with slashes, whatever their names', async () => {
      for (const path of ['a.txt', 'sub/b c.txt', 'sub/deep/ü"\n.txt']) put(path);
      expect(await list()).toEqual(['a.txt', 'sub/b c.txt', 'sub/deep/ü"\n.txt']);
    });

    it('leaves out ignored files, unless a nearer ignore file includes them again', async () => {
      put('.gitignore', '*.log\n/sub/deep/\n');
      put('sub/.gitignore', '!kept.log\n');
      for (const path of ['a.log', 'a.txt', 'sub/kept.log', 'sub/other.log', 'sub/deep/hidden.txt']) put(path);
      expect(await list()).toEqual(['.gitignore', 'a.txt', 'sub/.gitignore', 'sub/kept.log']);
    });

    it('follows no link to a folder', async () => {
      mkdirSync(join(base, 'outside'));
      writeFileSync(join(base, 'outside', 'secret.txt'), '');
      symlinkSync(join(base, 'outside'), join(folder, 'link'));
      symlinkSync('..', join(folder, 'sub', 'up'));
      put('a.txt');
      const files = await list();
      expect(files).toContain('a.txt');
      expect(files.filter((file) => /secret|\/up\//.test(file))).toEqual([]);
    });

    it('rejects when the folder cannot be read, or when aborted', async () => {
      await expect(list(AbortSignal.abort())).rejects.toThrow();
      rmSync(folder, { recursive: true });
      await expect(list()).rejects.toThrow();
    });
  });
}

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderError, type Folders } from '../ports/index.js';

/** The contract of Folders, as a vitest suite. */
export function describeFolders(
  name: string,
  make: (roots: readonly string[], barred?: readonly string[]) => Folders,
): void {
  describe(`${name} is a Folders`, () => {
    let base: string;
    let root: string;
    let folders: Folders;
    beforeEach(() => {
      base = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-folders-')));
      root = join(base, 'root');
      for (const path of ['root/work', 'root/own/trees', 'root-beside', 'outside'])
        mkdirSync(join(base, path), { recursive: true });
      writeFileSync(join(root, 'file'), '');
      symlinkSync(join(base, 'outside'), join(root, 'out'));
      symlinkSync(root, join(base, 'in'));
      folders = make([root], [join(root, 'own')]);
    });
    afterEach(() => rmSync(base, { recursive: true, force: true }));

    const uri = (path: string) => pathToFileURL(join(base, path)).href;
    const refusal = (text: string) => {
      try {
        return folders.resolve(text);
      } catch (error) {
        return error instanceof FolderError ? error.kind : error;
      }
    };

    it('resolves a folder in a root to its real path, also through a link', () => {
      expect(folders.resolve(uri('root'))).toBe(root);
      expect(folders.resolve(uri('root/work'))).toBe(join(root, 'work'));
      expect(folders.resolve(uri('in/work'))).toBe(join(root, 'work'));
      expect(folders.resolve(uri('outside/../root/work'))).toBe(join(root, 'work'));
      expect(folders.defaultDirectory).toBe(uri('root'));
    });

    it('denies folders whose real path is elsewhere', () => {
      const elsewhere = ['outside', 'root/out', 'root/../outside', 'root-beside', 'root/own', 'root/own/trees'];
      expect(elsewhere.map((path) => refusal(uri(path)))).toEqual(elsewhere.map(() => 'denied'));
      expect(refusal(`${uri('root')}/%2e%2e/outside`)).toBe('denied');
    });

    it('distinguishes a missing folder from an invalid URI', () => {
      expect([refusal(uri('root/none')), refusal(uri('root/file'))]).toEqual(['missing', 'missing']);
      const others = ['', 'work', '/tmp', 'https://host/root', 'file://host.example/root', 'file:///a%00b'];
      for (const text of others) expect(['invalid', 'missing'], text).toContain(refusal(text));
    });

    it("bars the host's own folders, except for a root inside them", () => {
      expect(folders.isBarred(join(root, 'own', 'trees'))).toBe(true);
      expect(folders.isBarred(join(root, 'work'))).toBe(false);
      const trees = make([root, join(root, 'own', 'trees')], [join(root, 'own')]);
      expect(trees.contains(join(root, 'own', 'trees'))).toBe(true);
      expect(trees.contains(join(root, 'own'))).toBe(false);
    });
  });
}

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FolderLock, FolderLockedError } from '../ports/folder-lock.js';

/** The contract of a function that locks a data folder, as a vitest suite. */
export function describeFolderLock(name: string, lock: (folder: string) => FolderLock): void {
  describe(`${name} locks folders`, () => {
    let base: string;
    beforeEach(() => {
      base = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-lock-')));
    });
    afterEach(() => rmSync(base, { recursive: true, force: true }));

    it('for one holder at a time, independently of each other, and names the holder', () => {
      const [one, two] = [join(base, 'one'), join(base, 'two')];
      for (const folder of [one, two]) mkdirSync(folder);
      const held = lock(one);
      const other = lock(two);
      for (let attempt = 0; attempt < 2; attempt++) {
        expect(() => lock(one)).toThrow(FolderLockedError);
        expect(() => lock(one)).toThrow(String(process.pid));
      }
      held.release();
      const next = lock(one);
      held.release(); // a second release changes nothing
      expect(() => lock(one)).toThrow(FolderLockedError);
      next.release();
      other.release();
    });

    it('that exist, and names one that cannot be locked', () => {
      writeFileSync(join(base, 'file'), '');
      for (const path of [join(base, 'file'), join(base, 'missing')]) {
        expect(() => lock(path)).toThrow(`${path} cannot be locked`);
        expect(() => lock(path)).not.toThrow(FolderLockedError);
      }
    });
  });
}

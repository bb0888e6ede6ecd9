import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FolderLock, FolderLockedError } from '../ports/folder-lock.js';

/** What a host relies on that locks its data folder. */
export function describeFolderLock(name: string, lock: (folder: string) => FolderLock): void {
  describe(`${name} locks folders`, () => {
    let base: string;
    beforeEach(() => {
      base = realpathSync(mkdtempSync(join(tmpdir(), 'ahpd-lock-')));
    });
    afterEach(() => rmSync(base, { recursive: true, force: true }));

    it('for one at a time, each by itself, and says who has it', () => {
      const [one, two] = [join(base, 'made', 'one'), join(base, 'two')];
      const held = lock(one);
      expect(existsSync(one)).toBe(true);
      const other = lock(two);
      for (let attempt = 0; attempt < 2; attempt++) {
        expect(() => lock(one)).toThrow(FolderLockedError);
        expect(() => lock(one)).toThrow(String(process.pid));
      }
      held.release();
      const next = lock(one);
      held.release(); // once more changes nothing
      expect(() => lock(one)).toThrow(FolderLockedError);
      next.release();
      other.release();
    });

    it('that can be used, and says why one cannot', () => {
      writeFileSync(join(base, 'file'), '');
      for (const path of [join(base, 'file'), join(base, 'file', 'below')]) {
        expect(() => lock(path)).toThrow(`${path} cannot be used`);
        expect(() => lock(path)).not.toThrow(FolderLockedError);
      }
    });

    // Where no folder can be made the system may say that it does not exist, as it does for its parents elsewhere.
    it.runIf(existsSync('/proc/self'))('and gives up where none can be made', () => {
      for (const path of ['/proc/ahpd', '/proc/ahpd/below']) {
        expect(() => lock(path)).toThrow(`${path} cannot be used`);
      }
    });
  });
}

import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Files } from '../ports/index.js';
import { LIMIT, useFiles } from './files-contract-harness.js';

/** The part of the Files contract about confinement: whatever links there are and whatever is swapped, no call leaves the scope. */
export function describeConfinement(name: string, create: () => Files): void {
  describe(`${name} never leaves its scope`, () => {
    const { root, outside, files, scope, at, change, get, put, write, kindOf, expectClean } = useFiles(create);
    beforeEach(() => {
      mkdirSync(at('dir'));
      put('mine');
      symlinkSync(outside, at('away'));
      symlinkSync(join(outside, 'secret'), at('leak'));
      symlinkSync(join(outside, 'nothing'), at('dangling'));
      symlinkSync('away', at('twice'));
      symlinkSync('loop', at('loop'));
      symlinkSync('../../outside/secret', at('dir/up'));
    });
    const paths = [
      '../outside/secret',
      'dir/../../outside/new',
      'away/secret',
      'away/new',
      'twice/secret',
      'leak',
      'dir/up',
    ];

    it.each(paths)('through %s', async (path) => {
      const there = at(path);
      const kinds = await Promise.all([
        kindOf(files.read(there, scope, LIMIT)),
        kindOf(files.write(there, scope, change('evil'))),
        kindOf(files.write(there, scope, change('evil', { mode: 'append' }))),
        kindOf(files.list(there, scope)),
        kindOf(files.describe(there, scope, true)),
        kindOf(files.copy(there, at('copy'), scope, false)),
        kindOf(files.copy(at('mine'), there, scope, false)),
      ]);
      expect(new Set(kinds)).toEqual(new Set(['outside']));
      if (!['leak', 'dir/up'].includes(path)) {
        expect(await kindOf(files.move(at('mine'), there, scope, false))).toBe('outside');
        expect(await kindOf(files.move(there, at('copy'), scope, false))).toBe('outside');
        expect(await kindOf(files.remove(there, scope, true))).toBe('outside');
      }
      expect(await kindOf(files.makeFolder(join(there, 'sub'), scope))).toBe('outside');
      expectClean();
    });

    it('nor through links that lead nowhere or in circles, nor by invalid names', async () => {
      expect(await kindOf(files.write(at('dangling'), scope, change('x')))).toBe('badLink');
      expect(await kindOf(files.write(at('dangling'), scope, change('x', { createOnly: true })))).toBe('exists');
      expect(await kindOf(files.makeFolder(at('dangling/x'), scope))).toBe('badLink');
      expect(await kindOf(files.read(at('loop'), scope, LIMIT))).toBe('badPath');
      expect(await kindOf(files.read(`${root}/mine\0/../../outside/secret`, scope, LIMIT))).toBe('badPath');
      expect(await kindOf(files.read('relative', scope, LIMIT))).toBe('badPath');
      expect(await kindOf(files.read(at('x'.repeat(300)), scope, LIMIT))).toBe('badPath');
      expectClean();
    });

    it('never removes or moves the root itself', async () => {
      expect(await kindOf(files.remove(root, scope, true))).toBe('outside');
      expect(await kindOf(files.move(root, join(root, 'x'), scope, false))).toBe('outside');
      expect(get('mine')).toBe('mine');
    });

    it('when a folder on the way is swapped for a link again and again', async () => {
      // Both folders have a file of that name: only the one inside may be read or written.
      mkdirSync(join(outside, 'deep'));
      writeFileSync(join(outside, 'deep/f'), 'secret');
      mkdirSync(at('a/deep'), { recursive: true });
      put('a/deep/f', 'inside');
      // A folder that is created at that very moment is in the way, so it is removed until the place is free.
      const insist = (act: () => void) => {
        for (;;) {
          try {
            return act();
          } catch {
            rmSync(at('a'), { recursive: true, force: true });
          }
        }
      };
      const swapIn = () => {
        renameSync(at('a'), at('b'));
        insist(() => symlinkSync(outside, at('a')));
      };
      const swapOut = () => {
        unlinkSync(at('a'));
        insist(() => renameSync(at('b'), at('a')));
      };
      let swapping = true;
      const attacker = (async () => {
        for (let round = 0; swapping; round++) {
          swapIn();
          if (round % 2) await new Promise(setImmediate);
          swapOut();
          await new Promise(setImmediate);
        }
      })();
      const kinds = new Set<string>();
      for (let round = 0; round < 80; round++) {
        const results = await Promise.all([
          kindOf(
            files
              .read(at('a/deep/f'), scope, LIMIT)
              .then(({ bytes }) => expect(Buffer.from(bytes).toString()).not.toBe('secret')),
          ),
          kindOf(files.write(at('a/deep/f'), scope, change('inside'))),
          kindOf(files.write(at('a/deep/new'), scope, change('evil'))),
          kindOf(files.makeFolder(at('a/deep/made/x'), scope)),
          kindOf(files.remove(at('a/deep/new'), scope, true)),
          kindOf(
            files
              .move(at('mine'), at('a/deep/moved'), scope, false)
              .then(() => files.move(at('a/deep/moved'), at('mine'), scope, false)),
          ),
        ]);
        for (const kind of results) kinds.add(kind);
      }
      swapping = false;
      await attacker;
      expect([readdirSync(outside).sort(), readdirSync(join(outside, 'deep'))]).toEqual([['deep', 'secret'], ['f']]);
      expect(readFileSync(join(outside, 'deep/f'), 'utf8')).toBe('secret');
      expect(kinds).toContain('outside');
      expect([...kinds].filter((kind) => kind.startsWith('not a'))).toEqual([]);
    });

    it('when a folder becomes a link while it is being removed', async () => {
      for (let round = 0; round < 20; round++) {
        mkdirSync(at('tree/sub'), { recursive: true });
        for (let file = 0; file < 10; file++) put(`tree/sub/${file}`);
        const removing = kindOf(files.remove(at('tree'), scope, true));
        await new Promise(setImmediate);
        try {
          renameSync(at('tree/sub'), at('kept'));
          symlinkSync(outside, at('tree/sub'));
        } catch {
          // The removal was faster.
        }
        await removing;
        rmSync(at('tree'), { recursive: true, force: true });
        rmSync(at('kept'), { recursive: true, force: true });
        expectClean();
      }
    });

    it('and treats a hard link as a file of its own', async () => {
      linkSync(at('mine'), at('other'));
      await write('other', 'changed');
      expect([get('mine'), get('other')]).toEqual(['mine', 'changed']);
    });
  });
}

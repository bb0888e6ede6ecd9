import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileScope, Files, FileWrite } from '../ports/index.js';

const LIMIT = 1000;

/** What the host relies on in every Files: what it does to real files, and what it never does. */
export function describeFiles(name: string, create: () => Files): void {
  describe(`${name} is a Files`, () => {
    let base: string;
    let root: string;
    let outside: string;
    let files: Files;
    let scope: FileScope;
    beforeEach(async () => {
      base = realpathSync(await mkdtemp(join(tmpdir(), 'ahpd-files-')));
      root = join(base, 'root');
      outside = join(base, 'outside');
      mkdirSync(root);
      mkdirSync(outside);
      writeFileSync(join(outside, 'secret'), 'secret');
      files = create();
      scope = { may: (access, path) => path.startsWith(`${root}/`) || (path === root && access !== 'remove') };
    });
    afterEach(() => rm(base, { recursive: true, force: true }));

    const at = (path: string) => join(root, path);
    const get = (path: string) => readFileSync(at(path), 'utf8');
    const put = (path: string, content = path) => writeFileSync(at(path), content);
    const change = (data: string, more: Partial<FileWrite> = {}): FileWrite => ({
      data: Buffer.from(data),
      mode: 'truncate',
      position: 0,
      createOnly: false,
      maxBytes: LIMIT,
      ...more,
    });
    const write = (path: string, data: string, more?: Partial<FileWrite>) =>
      files.write(at(path), scope, change(data, more));
    const read = async (path: string) => Buffer.from((await files.read(at(path), scope, LIMIT)).bytes).toString();
    const kindOf = (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        (error: { kind?: string; message?: string }) => error.kind ?? `not a FilesError: ${error.message}`,
      );
    /** Nothing outside was touched, and no temporary file is left. */
    const expectClean = () => {
      expect(readdirSync(outside)).toEqual(['secret']);
      expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
      expect(readdirSync(root).filter((entry) => entry.startsWith('.ahpd-'))).toEqual([]);
    };

    it('writes as a model of bytes says, in every mode', async () => {
      const step = fc.record({
        mode: fc.constantFrom('truncate', 'append', 'insert'),
        position: fc.nat(12),
        data: fc.uint8Array({ maxLength: 6 }),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.option(fc.uint8Array({ maxLength: 10 })),
          fc.array(step, { maxLength: 6 }),
          async (first, steps) => {
            rmSync(at('f'), { force: true });
            if (first) writeFileSync(at('f'), first);
            let model = [...(first ?? [])];
            let exists = first !== null;
            for (const { mode, position, data } of steps) {
              const kind = await kindOf(write('f', '', { mode, position, data } as Partial<FileWrite>));
              expect(kind).toBe(position > model.length ? 'badPosition' : 'done');
              if (kind !== 'done') continue;
              exists = true;
              const cut = mode === 'append' ? model.length - position : position;
              model = [...model.slice(0, cut), ...data, ...(mode === 'truncate' ? [] : model.slice(cut))];
            }
            expect(existsSync(at('f'))).toBe(exists);
            if (exists) expect([...(await files.read(at('f'), scope, LIMIT)).bytes]).toEqual(model);
          },
        ),
        { numRuns: 60 },
      );
    });

    it('keeps mode and name, and leaves nothing else behind', async () => {
      put('a.sh', 'old');
      chmodSync(at('a.sh'), 0o751);
      await write('a.sh', 'new');
      await write('a.sh', '!', { mode: 'insert', position: 3 });
      expect([get('a.sh'), statSync(at('a.sh')).mode & 0o777, readdirSync(root)]).toEqual(['new!', 0o751, ['a.sh']]);
    });

    it('never shows half a file to somebody who reads all the time', async () => {
      put('f', 'a'.repeat(900));
      const seen = new Set<string>();
      let writing = true;
      const reading = (async () => {
        while (writing) seen.add(readFileSync(at('f'), 'utf8')).add(await read('f'));
      })();
      for (let round = 0; round < 40; round++) await write('f', (round % 2 ? 'a' : 'b').repeat(900));
      writing = false;
      await reading;
      expect([...seen].every((text) => text === 'a'.repeat(900) || text === 'b'.repeat(900))).toBe(true);
    });

    it('loses no append, whoever appends at the same time', async () => {
      put('log', '');
      const other = create();
      const lines = Array.from({ length: 40 }, (_, index) => `line ${index}\n`);
      await Promise.all(
        lines.map((line, index) =>
          (index % 2 ? files : other).write(at('log'), scope, change(line, { mode: 'append' })),
        ),
      );
      expect(get('log').split('\n').sort()).toEqual([...lines.map((line) => line.trim()), ''].sort());
    });

    it('queues writes that depend on what is there', async () => {
      const letters = [...'abcdefghij'];
      await Promise.all(letters.map((letter) => write('f', letter, { mode: 'insert' })));
      expect([...get('f')].sort()).toEqual(letters);
    });

    it('changes a file only if it is what the caller thinks', async () => {
      put('f', 'one');
      const { etag } = await files.describe(at('f'), scope, true);
      expect((await files.read(at('f'), scope, LIMIT)).etag).toBe(etag);
      await write('f', 'two', { ifMatch: etag });
      expect(await kindOf(write('f', 'three', { ifMatch: etag }))).toBe('changed');
      expect(await kindOf(write('missing', 'x', { ifMatch: etag }))).toBe('changed');
      expect(await kindOf(write('f', 'x', { createOnly: true }))).toBe('exists');
      await write('new', 'x', { createOnly: true });
      expect([get('f'), get('new')]).toEqual(['two', 'x']);
    });

    it('lets one of many create a file', async () => {
      const kinds = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          kindOf((n % 2 ? files : create()).write(at('f'), scope, change(`${n}`, { createOnly: true }))),
        ),
      );
      expect(kinds.filter((kind) => kind === 'done')).toHaveLength(1);
      expect(get('f')).toBe(`${kinds.indexOf('done')}`);
      expectClean();
    });

    it('reads and writes only what is not too large, and appends to anything', async () => {
      put('big', 'x'.repeat(LIMIT + 1));
      expect(await kindOf(read('big'))).toBe('tooLarge');
      expect(await kindOf(write('big', 'y', { mode: 'insert' }))).toBe('tooLarge');
      expect(await kindOf(write('f', 'y'.repeat(LIMIT + 1)))).toBe('tooLarge');
      await write('big', 'y', { mode: 'append' });
      expect(statSync(at('big')).size).toBe(LIMIT + 2);
      await write('big', 'small');
      expect(await read('big')).toBe('small');
    });

    it('neither waits for a pipe nor writes to one', async () => {
      execFileSync('mkfifo', [at('pipe')]);
      expect(await kindOf(read('pipe'))).toBe('notFile');
      expect(await kindOf(write('pipe', 'x'))).toBe('notFile');
      expect(await kindOf(write('pipe', 'x', { mode: 'append' }))).toBe('notFile');
      expect(await kindOf(files.describe(at('pipe'), scope, true))).toBe('notFile');
      expect(await files.list(root, scope)).toEqual([]);
    });

    it('shows the content of a private file to nobody, not even for a moment', async () => {
      put('key', 'old');
      chmodSync(at('key'), 0o600);
      const modes = new Set<number>();
      const watcher = watch(root, () => {
        for (const entry of readdirSync(root)) {
          const stats = statSync(at(entry), { throwIfNoEntry: false });
          if (stats) modes.add(stats.mode & 0o777);
        }
      });
      for (let round = 0; round < 20; round++) await write('key', `secret ${round}`);
      await files.copy(at('key'), at('copy'), scope, false);
      watcher.close();
      expect([...modes, statSync(at('copy')).mode & 0o777].filter((mode) => mode !== 0o600)).toEqual([]);
    });

    it('lists children by name, links as what they lead to', async () => {
      mkdirSync(at('dir'));
      mkdirSync(at('dir/sub'));
      put('z');
      put('ä');
      symlinkSync('dir', at('to-dir'));
      symlinkSync('nowhere', at('dangling'));
      expect(await files.list(root, scope)).toEqual([
        { name: 'dir', type: 'directory' },
        { name: 'to-dir', type: 'directory' },
        { name: 'z', type: 'file' },
        { name: 'ä', type: 'file' },
      ]);
      expect(await files.list(at('to-dir'), scope)).toEqual([{ name: 'sub', type: 'directory' }]);
      expect([await kindOf(files.list(at('z'), scope)), await kindOf(files.list(at('no'), scope))]).toEqual([
        'notFolder',
        'notFound',
      ]);
    });

    it('describes what a path leads to, or the link itself', async () => {
      put('f', 'four');
      symlinkSync('f', at('link'));
      expect(await files.describe(at('link'), scope, true)).toMatchObject({ realPath: at('f'), type: 'file', size: 4 });
      expect(await files.describe(at('link'), scope, false)).toMatchObject({ realPath: at('link'), type: 'symlink' });
      expect(await files.describe(root, scope, true)).toMatchObject({ realPath: root, type: 'directory' });
      expect(await kindOf(files.describe(at('a/b'), scope, true))).toBe('notFound');
      expect(await kindOf(files.describe(at('f/b'), scope, true))).toBe('notFound');
    });

    it('copies and moves files and folders', async () => {
      mkdirSync(at('dir/sub'), { recursive: true });
      put('dir/sub/f', 'deep');
      chmodSync(at('dir/sub/f'), 0o640);
      symlinkSync('sub/f', at('dir/link'));
      put('old', 'old');
      await files.copy(at('dir'), at('copy'), scope, true);
      await files.copy(at('dir/link'), at('old'), scope, false);
      await files.move(at('dir'), at('moved'), scope, true);
      await files.move(at('old'), at('moved/sub/f'), scope, false);
      expect([get('copy/link'), get('moved/sub/f'), statSync(at('copy/sub/f')).mode & 0o777]).toEqual([
        'deep',
        'deep',
        0o640,
      ]);
      expect(readdirSync(root).sort()).toEqual(['copy', 'moved']);
    });

    it('refuses to copy or move onto what must stay', async () => {
      mkdirSync(at('dir/sub'), { recursive: true });
      mkdirSync(at('full/x'), { recursive: true });
      put('a');
      put('b');
      for (const act of [files.copy, files.move]) {
        expect(await kindOf(act(at('a'), at('b'), scope, true))).toBe('exists');
        expect(await kindOf(act(at('a'), at('dir'), scope, false))).toBe('isFolder');
        expect(await kindOf(act(at('dir'), at('full'), scope, false))).toBe('isFolder');
        expect(await kindOf(act(at('dir'), at('a'), scope, false))).toBe('notFolder');
        expect(await kindOf(act(at('dir'), at('dir/sub/x'), scope, false))).toBe('intoItself');
        expect(await kindOf(act(at('a'), at('a'), scope, false))).toBe('intoItself');
        expect(await kindOf(act(at('no'), at('c'), scope, false))).toBe('notFound');
        expect(await kindOf(act(at('a'), at('no/c'), scope, false))).toBe('notFound');
      }
      expect([get('a'), get('b'), readdirSync(at('dir'))]).toEqual(['a', 'b', ['sub']]);
      expectClean();
    });

    it('removes a link and not what it leads to, a full folder only with all in it', async () => {
      mkdirSync(at('dir/sub'), { recursive: true });
      put('dir/f');
      symlinkSync(outside, at('dir/away'));
      symlinkSync('dir', at('link'));
      expect(await kindOf(files.remove(at('dir'), scope, false))).toBe('notEmpty');
      await files.remove(at('link'), scope, true);
      expect(existsSync(at('dir/f'))).toBe(true);
      await files.remove(at('dir'), scope, true);
      expect(await kindOf(files.remove(at('dir'), scope, true))).toBe('notFound');
      expect(readdirSync(root)).toEqual([]);
      expectClean();
    });

    it('makes folders with their parents', async () => {
      put('f');
      await files.makeFolder(at('a/b/c'), scope);
      await files.makeFolder(at('a/b/c'), scope);
      await files.makeFolder(root, scope);
      expect(statSync(at('a/b/c')).isDirectory()).toBe(true);
      expect(await kindOf(files.makeFolder(at('f'), scope))).toBe('exists');
      expect(await kindOf(files.makeFolder(at('f/g'), scope))).toBe('exists');
    });

    describe('never leaves its scope', () => {
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

      it('nor through links that lead nowhere or in circles, nor by names that are none', async () => {
        expect(await kindOf(files.write(at('dangling'), scope, change('x')))).toBe('badLink');
        expect(await kindOf(files.write(at('dangling'), scope, change('x', { createOnly: true })))).toBe('exists');
        expect(await kindOf(files.makeFolder(at('dangling/x'), scope))).toBe('badLink');
        expect(await kindOf(files.read(at('loop'), scope, LIMIT))).toBe('badPath');
        expect(await kindOf(files.read(`${root}/mine\0/../../outside/secret`, scope, LIMIT))).toBe('badPath');
        expect(await kindOf(files.read('relative', scope, LIMIT))).toBe('badPath');
        expect(await kindOf(files.read(at('x'.repeat(300)), scope, LIMIT))).toBe('badPath');
        expectClean();
      });

      it('keeps the root itself', async () => {
        expect(await kindOf(files.remove(root, scope, true))).toBe('outside');
        expect(await kindOf(files.move(root, join(root, 'x'), scope, false))).toBe('outside');
        expect(get('mine')).toBe('mine');
      });

      it('when a folder on the way is swapped for a link again and again', async () => {
        // Both folders hold a file of that name: whatever is read or written must be the one inside.
        mkdirSync(join(outside, 'deep'));
        writeFileSync(join(outside, 'deep/f'), 'secret');
        mkdirSync(at('a/deep'), { recursive: true });
        put('a/deep/f', 'inside');
        // A folder that is made in that very moment stands in the way: it is removed until the place is free.
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
        for (let round = 0; round < 150; round++) {
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
            // It was faster than we are.
          }
          await removing;
          rmSync(at('tree'), { recursive: true, force: true });
          rmSync(at('kept'), { recursive: true, force: true });
          expectClean();
        }
      });

      it('and a hard link is a file like any other', async () => {
        linkSync(at('mine'), at('other'));
        await write('other', 'changed');
        expect([get('mine'), get('other')]).toEqual(['mine', 'changed']);
      });
    });
  });
}

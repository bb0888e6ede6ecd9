import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Files, FileWrite } from '../ports/index.js';
import { describeConfinement } from './files-contract-confinement.js';
import { LIMIT, useFiles } from './files-contract-harness.js';

/** A program of the system, since Node cannot make named pipes. */
const MAKE_PIPE = 'mkfifo';

/** The contract of Files, as vitest suites: what it does to real files, and that it never leaves its scope. */
export function describeFiles(name: string, create: () => Files): void {
  describe(`${name} is a Files`, () => {
    const { root, outside, files, scope, at, change, get, put, write, read, kindOf, expectClean } = useFiles(create);

    it('writes in every mode as a model of bytes does', async () => {
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

    it('never shows a part of a write to a concurrent reader', async () => {
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

    it('loses no append when several append at the same time', async () => {
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

    it('queues writes that depend on the present content', async () => {
      const letters = [...'abcdefghij'];
      await Promise.all(letters.map((letter) => write('f', letter, { mode: 'insert' })));
      expect([...get('f')].sort()).toEqual(letters);
    });

    it('changes a file only if its preconditions hold', async () => {
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

    it('notices that another program saves a file during a write', async () => {
      put('f', 'one');
      const { etag } = await files.describe(at('f'), scope, true);
      const ours = {
        ...change('', { ifMatch: etag }),
        get data() {
          put('f', 'theirs'); // adapters read `data` after they have checked the etag for the first time
          return Buffer.from('ours');
        },
      };
      expect(await kindOf(files.write(at('f'), scope, ours))).toBe('changed');
      expect(get('f')).toBe('theirs');
    });

    it('lets only one of many create a file', async () => {
      const kinds = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          kindOf((n % 2 ? files : create()).write(at('f'), scope, change(`${n}`, { createOnly: true }))),
        ),
      );
      expect(kinds.filter((kind) => kind === 'done')).toHaveLength(1);
      expect(get('f')).toBe(`${kinds.indexOf('done')}`);
      expectClean();
    });

    it('limits the size of reads and writes, but not of appends', async () => {
      put('big', 'x'.repeat(LIMIT + 1));
      expect(await kindOf(read('big'))).toBe('tooLarge');
      expect(await kindOf(write('big', 'y', { mode: 'insert' }))).toBe('tooLarge');
      expect(await kindOf(write('f', 'y'.repeat(LIMIT + 1)))).toBe('tooLarge');
      await write('big', 'y', { mode: 'append' });
      expect(statSync(at('big')).size).toBe(LIMIT + 2);
      await write('big', 'small');
      expect(await read('big')).toBe('small');
    });

    it('neither waits for a named pipe nor writes to one', async () => {
      execFileSync(MAKE_PIPE, [at('pipe')]);
      expect(await kindOf(read('pipe'))).toBe('notFile');
      expect(await kindOf(write('pipe', 'x'))).toBe('notFile');
      expect(await kindOf(write('pipe', 'x', { mode: 'append' }))).toBe('notFile');
      expect(await kindOf(files.describe(at('pipe'), scope, true))).toBe('notFile');
      expect(await files.list(root, scope)).toEqual([]);
    });

    it('never exposes the content of a private file, not even for a moment', async () => {
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

    it('refuses to copy or move onto what must not be replaced', async () => {
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

    it('removes a link and not its target, and a full folder only if recursive', async () => {
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

    it('creates folders with their parents', async () => {
      put('f');
      await files.makeFolder(at('a/b/c'), scope);
      await files.makeFolder(at('a/b/c'), scope);
      await files.makeFolder(root, scope);
      expect(statSync(at('a/b/c')).isDirectory()).toBe(true);
      expect(await kindOf(files.makeFolder(at('f'), scope))).toBe('exists');
      expect(await kindOf(files.makeFolder(at('f/g'), scope))).toBe('exists');
    });
  });
  describeConfinement(name, create);
}

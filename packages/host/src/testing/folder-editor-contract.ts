import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditStep, FolderEditError, type FolderEditor } from '../ports/folder-editor.js';
import { type FileVersion, WorkspaceError, type Workspaces } from '../ports/workspace.js';
import { describeUserRepository } from './folder-editor-contract-repository.js';
import { useRepository } from './user-repository.js';

/** The contract of FolderEditor, as vitest suites, for the editor that a Workspaces returns. */
export function describeFolderEditor(name: string, open: (directory: string) => Workspaces): void {
  describe(`${name} has a FolderEditor for each folder`, () => {
    const user = useRepository();
    let workspaces: Workspaces;
    let editor: FolderEditor;
    beforeEach(async () => {
      workspaces = open(join(user.base, 'kept'));
      await workspaces.open(user.folder).checkpoint({ freshness: 'exact' });
      editor = workspaces.editor(user.folder);
    });
    afterEach(() => workspaces.close());

    const version = async (path: string, content: string, mode = '100644'): Promise<FileVersion> => ({
      path,
      contentId: await editor.contents.write(Buffer.from(content)),
      mode,
    });
    const now = async (path: string): Promise<FileVersion> => {
      const file = (await editor.read([path])).get(path);
      if (file?.kind !== 'file') throw new Error(`${path} is ${file?.kind}`);
      return file.version;
    };
    const text = async (id: string) => Buffer.from((await editor.contents.read(id)) ?? 'nothing').toString();
    const refusal = async (work: Promise<unknown>) => {
      const error: unknown = await work.then(
        () => undefined,
        (cause: unknown) => cause,
      );
      expect(error).toBeInstanceOf(FolderEditError);
      return error instanceof FolderEditError ? error.kind : undefined;
    };

    describe('files', () => {
      it('are read as they are, and their contents are kept', async () => {
        user.write('a', 'a\n');
        user.write('folder/b', 'b\n');
        chmodSync(user.at('folder/b'), 0o755);
        symlinkSync('a', user.at('link'));
        const seen = await editor.read(['a', 'folder/b', 'link', 'folder', 'none', 'a/below']);
        const modes = [...seen].map(([path, file]) => [path, file.kind === 'file' ? file.version.mode : file.kind]);
        expect(Object.fromEntries(modes)).toEqual({
          ...{ a: '100644', 'folder/b': '100755', link: '120000' },
          ...{ folder: 'absent', none: 'absent', 'a/below': 'absent' },
        });
        expect(await text((await now('link')).contentId)).toBe('a');
      });

      /** Files that are overwritten, made executable, created in new folders, removed with their folder, turned into links. */
      const everyStep = async (): Promise<EditStep[]> => {
        user.write('edited', 'old\n');
        user.write('script', 'run\n');
        user.write('removed/deep', 'gone\n');
        user.write('file', 'a file\n');
        symlinkSync('edited', user.at('link'));
        return [
          { path: 'edited', from: await now('edited'), to: await version('edited', 'new\n') },
          { path: 'script', from: await now('script'), to: await version('script', 'run\n', '100755') },
          { path: 'made/new/file', to: await version('made/new/file', 'made\n') },
          { path: 'removed/deep', from: await now('removed/deep') },
          { path: 'file', from: await now('file'), to: await version('file', 'edited', '120000') },
          { path: 'link', from: await now('link'), to: await version('link', 'no link\n') },
        ];
      };
      const state = () =>
        Object.fromEntries(
          readdirSync(user.folder, { recursive: true, withFileTypes: true })
            .filter((entry) => !entry.isDirectory())
            .map((entry) => {
              const path = join(entry.parentPath, entry.name);
              if (entry.isSymbolicLink()) return [path, `-> ${readlinkSync(path)}`];
              return [path, `${lstatSync(path).mode & 0o100 ? 'x' : '-'} ${readFileSync(path, 'utf8')}`];
            }),
        );

      it('are changed all together', async () => {
        const steps = await everyStep();
        await editor.apply('one', steps);
        expect(state()).toEqual({
          [user.at('edited')]: '- new\n',
          [user.at('script')]: 'x run\n',
          [user.at('made/new/file')]: '- made\n',
          [user.at('file')]: '-> edited',
          [user.at('link')]: '- no link\n',
        });
        expect(existsSync(user.at('removed'))).toBe(false);
        expect(await editor.settle('one', steps), 'after a death that came later').toBe('finished');
      });

      it('are not changed at all when one is not what was expected', async () => {
        const steps = await everyStep();
        user.write('link2', 'mine\n');
        const before = state();
        const others: EditStep[] = [
          { path: 'link2', to: await version('link2', 'over it\n') },
          { path: 'link2', from: await version('link2', 'something else\n') },
          { path: 'edited/below', to: await version('edited/below', 'x\n') },
          { path: 'lost', to: { path: 'lost', contentId: 'f'.repeat(40), mode: '100644' } },
        ];
        for (const other of others) {
          const wrong = other.path === 'edited/below' ? [other, ...steps.slice(1)] : [...steps, other];
          expect(await refusal(editor.apply('none', wrong)), other.path).toBe('refused');
          expect(state(), other.path).toEqual(before);
        }
        expect(await editor.settle('none', steps), 'nothing was begun').toBe('rolledBack');
        expect(state()).toEqual(before);
      });

      it('outside the folder, of a repository itself, or behind a link are not touched', async () => {
        mkdirSync(join(user.base, 'outside'));
        symlinkSync(join(user.base, 'outside'), user.at('out'));
        const paths = ['../outside/x', '/etc/passwd', '.git/config', 'a/../../b', '', 'sub/.GIT/hooks/x', 'a\0b'];
        for (const path of [...paths, 'bad\uFFFDname', 'out/x']) {
          expect((await editor.read([path])).get(path)?.kind, path).toBe('barred');
          expect(await refusal(editor.apply('barred', [{ path, to: await version('x', 'x\n') }])), path).toBe(
            'refused',
          );
        }
        expect((await editor.read(['out/x'])).get('out/x')).toMatchObject({ behindLink: 'out' });
        expect([readdirSync(join(user.base, 'outside')), readdirSync(user.folder)]).toEqual([[], ['out']]);
      });
    });

    describe('contents', () => {
      const write = (content: string | Uint8Array) => editor.contents.write(Buffer.from(content));
      const binary = Buffer.from([0, 1, 2]);

      it('are kept, and a missing one cannot be', async () => {
        const ids = [await write('text\n'), await write(''), await write(binary)];
        const keep = (contentId: string) =>
          workspaces.open(user.folder).keep([{ after: { path: 'kept', contentId, mode: '100644' } }]);
        await Promise.all(ids.map(keep));
        expect(await Promise.all(ids.map(text))).toEqual(['text\n', '', binary.toString()]);
        expect(await editor.contents.read('0'.repeat(ids[0]?.length ?? 0))).toBeUndefined();
        await expect(keep('f'.repeat(ids[0]?.length ?? 0))).rejects.toThrow(WorkspaceError);
      });

      it('are compared by lines if they are text', async () => {
        const [old, changed, other] = [
          await write('1\n2\n3\n4\n'),
          await write('1\ntwo\n3\n4\n5\n'),
          await write(binary),
        ];
        expect(await editor.contents.hunks(old, changed)).toEqual([
          { before: { start: 1, count: 1 }, after: { start: 1, count: 1 } },
          { before: { start: 4, count: 0 }, after: { start: 4, count: 1 } },
        ]);
        expect(await editor.contents.hunks(old, old)).toEqual([]);
        expect(await editor.contents.hunks(old, other)).toBeUndefined();
      });

      it('are merged, or the conflicting lines are named', async () => {
        const [base, ours] = [await write('1\n2\n3\n4\n5\n'), await write('one\n2\n3\n4\n5\n')];
        const clean = await editor.contents.merge(base, ours, await write('1\n2\n3\n4\nfive\n'));
        expect(clean?.kind === 'clean' && (await text(clean.id))).toBe('one\n2\n3\n4\nfive\n');
        expect(await editor.contents.merge(base, ours, await write('ONE\n2\n3\n4\n5\n'))).toEqual({
          kind: 'conflict',
          lines: [{ start: 0, count: 1 }],
        });
        expect(await editor.contents.merge(base, ours, await write(binary))).toBeUndefined();
      });

      it('conflict with Windows line ends as well', async () => {
        const [base, ours] = [await write('1\r\n2\r\n3\r\n'), await write('1\r\ntwo\r\n3\r\n')];
        expect(await editor.contents.merge(base, ours, await write('1\r\nzwei\r\n3\r\n'))).toEqual({
          kind: 'conflict',
          lines: [{ start: 1, count: 1 }],
        });
      });

      it('are written as a patch that git applies', async () => {
        user.commit({ a: 'one\n', gone: 'bye\n' });
        const [before, after] = [await version('a', 'one\n'), await version('a', 'two\n')];
        const patch = await editor.contents.patch([
          { before, after },
          { before: await version('gone', 'bye\n') },
          { after: await version('new', '\0binary') },
        ]);
        user.write('../the.patch', patch);
        user.git('apply', '../the.patch');
        expect([readFileSync(user.at('a'), 'utf8'), readFileSync(user.at('new'), 'utf8')]).toEqual([
          'two\n',
          '\0binary',
        ]);
        expect(existsSync(user.at('gone'))).toBe(false);
      });
    });

    describeUserRepository(user, () => editor, refusal);
  });
}

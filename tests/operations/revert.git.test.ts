import { chmodSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangesetSelector } from '@moorage/protocol';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';

let bench: ChangesBench;

/** One bench for each test, or one for all tests of a block. */
const disposeEach = () => afterEach(() => bench.dispose());
function share(files: Readonly<Record<string, string | Buffer>>): void {
  beforeAll(async () => {
    bench = await ChangesBench.start({
      prepare: (b) => {
        symlinkSync('.', join(b.folder, 'link-to-folder'));
        b.commit(files);
      },
    });
  });
  afterAll(() => bench.dispose());
  afterEach(() => {
    bench.git('reset', '-q', '--hard');
    bench.git('clean', '-qfd');
  });
}

const TEN = Array.from({ length: 10 }, (_, line) => `line ${line}\n`).join('');

/** What is committed, and how each kind of change is made to it. */
const COMMITTED = {
  'edited.txt': 'one\ntwo\nthree\n',
  'deleted.txt': 'bye\n',
  'moved.txt': TEN,
  'moved-edited.txt': TEN,
  'staged.txt': 'before\n',
  'script.sh': '#!/bin/sh\n',
  'becomes-link.txt': 'a file\n',
  'becomes-folder': 'a file\n',
  'folder/becomes-file': 'inside\n',
  'linked/one.txt': 'one inside\n',
  'linked/deep/two.txt': 'two inside\n',
  'picture.bin': Buffer.from([0, 1, 2, 0xff, 0xfe, 0]),
  'latin.txt': Buffer.from('caf\xe9\n', 'latin1'),
  'crlf.txt': 'one\r\ntwo\r\n',
  'no-newline.txt': 'one\ntwo',
  'emptied.txt': 'full\n',
  'filled.txt': '',
  'with space "quoted".txt': 'x\n',
  'ünïcode\n.txt': 'x\n',
};

const CHANGES: Record<string, (bench: ChangesBench) => void> = {
  created: (b) => b.write('new folder/deep/created.txt', 'hello\n'),
  'created and empty': (b) => b.write('created-empty.txt', ''),
  edited: (b) => b.write('edited.txt', 'one\n2\nthree\nfour\n'),
  deleted: (b) => b.remove('deleted.txt'),
  renamed: (b) => renameSync(join(b.folder, 'moved.txt'), join(b.folder, 'elsewhere.txt')),
  'renamed and edited': (b) => {
    b.remove('moved-edited.txt');
    b.write('sub/moved-edited.txt', TEN.replace('line 3', 'line three'));
  },
  staged: (b) => {
    b.write('staged.txt', 'after\n');
    b.git('add', 'staged.txt');
  },
  'made executable': (b) => chmodSync(join(b.folder, 'script.sh'), 0o755),
  'made a link': (b) => {
    b.remove('becomes-link.txt');
    symlinkSync('edited.txt', join(b.folder, 'becomes-link.txt'));
  },
  'a new link': (b) => symlinkSync('nowhere', join(b.folder, 'dangling')),
  'a file that became a folder': (b) => {
    b.remove('becomes-folder');
    b.write('becomes-folder/inner.txt', 'now a folder\n');
  },
  'a folder that became a file': (b) => {
    b.remove('folder');
    b.write('folder', 'now a file\n');
  },
  'a folder that became a link': (b) => {
    b.remove('linked');
    symlinkSync('folder', join(b.folder, 'linked'));
  },
  'a link that became a folder': (b) => {
    b.remove('link-to-folder');
    b.write('link-to-folder/inner.txt', 'no link any more\n');
  },
  binary: (b) => b.write('picture.bin', Buffer.from([0, 9, 9, 9])),
  'not UTF-8': (b) => b.write('latin.txt', Buffer.from('na\xefve\n', 'latin1')),
  CRLF: (b) => b.write('crlf.txt', 'one\r\n2\r\n'),
  'without a newline at the end': (b) => b.write('no-newline.txt', 'one\ntwo\nthree'),
  emptied: (b) => b.write('emptied.txt', ''),
  filled: (b) => b.write('filled.txt', 'something\n'),
  'a name with spaces and quotes': (b) => b.write('with space "quoted".txt', 'y\n'),
  'a name with unicode and a newline': (b) => b.write('ünïcode\n.txt', 'y\n'),
};

describe('takes back whole changes, and the undo brings them back', () => {
  share(COMMITTED);

  it.each(Object.keys(CHANGES))('%s', async (name) => {
    const before = bench.tree();
    CHANGES[name]?.(bench);
    const after = bench.tree();
    expect(after).not.toEqual(before);
    const uri = bench.uri({ kind: 'uncommitted' });
    await bench.invoke(uri, 'revert');
    expect(bench.tree()).toEqual(before);
    await bench.expectUndo(uri, after);
  });

  it('all of them at once, while others watch', async () => {
    const before = bench.tree();
    for (const change of Object.values(CHANGES)) change(bench);
    const after = bench.tree();
    const uri = bench.uri({ kind: 'uncommitted' });
    await bench.changeset(uri);
    await bench.invoke(uri, 'revert');
    expect(bench.tree()).toEqual(before);
    await bench.changeset(uri, ({ files }) => files.length === 0);
    await bench.expectUndo(uri, after);
    await bench.changeset(uri, ({ files }) => files.length > 15);
  });

  it('one file of several, named by either side of a move', async () => {
    const before = bench.tree();
    CHANGES.renamed?.(bench);
    CHANGES.edited?.(bench);
    const uri = bench.uri({ kind: 'uncommitted' });
    await bench.invoke(uri, 'revert', bench.resource('moved.txt', 'before'));
    expect(bench.has('elsewhere.txt')).toBe(false);
    expect(bench.read('moved.txt')).toBe(TEN);
    await bench.invoke(uri, 'revert', bench.resource('edited.txt'));
    expect(bench.tree()).toEqual(before);
  });
});

describe('of every kind of changeset', () => {
  disposeEach();
  const kinds: [string, (turns: string[]) => ChangesetSelector, string][] = [
    ['turn', ([first = '']) => ({ kind: 'turn', turnId: first }), 'start\nsecond\n'],
    ['session', () => ({ kind: 'session' }), 'start\n'],
    [
      'compare-turns',
      ([originalTurnId = '', modifiedTurnId = '']) => ({ kind: 'compare-turns', originalTurnId, modifiedTurnId }),
      'start\nfirst\n',
    ],
    ['branch', () => ({ kind: 'branch' }), 'start\n'],
    ['uncommitted', () => ({ kind: 'uncommitted' }), 'start\n'],
  ];
  it.each(kinds)('%s', async (_kind, select, expected) => {
    const gap = '\n'.repeat(3);
    bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': `start${gap}\n` }) });
    const first = await bench.turn('/replace a.txt start => start\\nfirst');
    const second = await bench.turn('/append a.txt second\\n');
    const after = bench.tree();
    const uri = bench.uri(select([first, second]));
    await bench.changeset(uri, ({ files }) => files.length === 1);
    await bench.invoke(uri, 'revert');
    expect(bench.read('a.txt').replace(/\n+/g, '\n')).toBe(expected);
    await bench.changeset(uri, ({ files }) => files.length === 0);
    await bench.expectUndo(uri, after);
    await bench.changeset(uri, ({ files }) => files.length === 1);
  });

  it('in a folder without git', async () => {
    bench = await ChangesBench.start({ prepare: (b) => b.write('a.txt', 'one\n') });
    const turnId = await bench.turn('/append a.txt two\\n\n/write b.txt new\\n');
    await bench.invoke(bench.turnUri(turnId), 'revert');
    expect(bench.tree()).toEqual({ 'a.txt': '- one\n' });
    await bench.invoke(bench.turnUri(turnId), 'undo');
    expect(bench.tree()).toEqual({ 'a.txt': '- one\ntwo\n', 'b.txt': '- new\n' });
  });
});

describe('takes back the hunks that a range touches', () => {
  const OLD = Array.from({ length: 20 }, (_, line) => `line ${line}\n`);
  /** Line 2 changed, lines 8 and 9 gone, two new after 14. */
  const NEW = [
    ...OLD.slice(0, 2),
    'two\n',
    ...OLD.slice(3, 8),
    ...OLD.slice(10, 15),
    'new a\n',
    'new b\n',
    ...OLD.slice(15),
  ];

  share({ 'a.txt': OLD.join(''), 'gone.txt': 'bye\n', 'crlf.txt': 'one\r\ntwo\r\nthree' });

  function edited(): string {
    bench.write('a.txt', NEW.join(''));
    return bench.uri({ kind: 'uncommitted' });
  }

  it.each<[string, number, number, 'before' | 'after' | undefined, string[]]>([
    ['a changed line', 2, 2, undefined, [...OLD.slice(0, 3), ...NEW.slice(3)]],
    ['a changed line, from the other side', 2, 2, 'before', [...OLD.slice(0, 3), ...NEW.slice(3)]],
    ['the line before a deletion', 7, 7, 'after', [...NEW.slice(0, 8), ...OLD.slice(8, 10), ...NEW.slice(8)]],
    ['the line after a deletion', 8, 8, 'after', [...NEW.slice(0, 8), ...OLD.slice(8, 10), ...NEW.slice(8)]],
    ['a deleted line', 9, 9, 'before', [...NEW.slice(0, 8), ...OLD.slice(8, 10), ...NEW.slice(8)]],
    ['one of two added lines: the whole hunk', 14, 14, 'after', [...NEW.slice(0, 13), ...NEW.slice(15)]],
    ['everything', 0, 21, 'after', OLD],
    ['two hunks of three', 1, 8, 'after', [...OLD.slice(0, 15), ...NEW.slice(13)]],
  ])('%s', async (_what, first, last, side, expected) => {
    const uri = edited();
    await bench.invoke(uri, 'revert', bench.lines('a.txt', first, last, side));
    expect(bench.read('a.txt')).toBe(expected.join(''));
    await bench.invoke(uri, 'undo');
    expect(bench.read('a.txt')).toBe(NEW.join(''));
  });

  it.each<[string, number, number, 'before' | 'after' | undefined]>([
    ['a line beside a change', 3, 4, 'after'],
    ['lines past the end', 100, 120, 'after'],
  ])('%s touches nothing, and that is said', async (_what, first, last, side) => {
    const uri = edited();
    const error = await bench.refused(uri, 'revert', bench.lines('a.txt', first, last, side));
    expect(error.code).toBe(-32602);
    expect(error.message).toContain('touches a change');
    expect(bench.read('a.txt')).toBe(NEW.join(''));
  });

  it('of a created and of a deleted file', async () => {
    bench.remove('gone.txt');
    bench.write('new.txt', 'one\ntwo\n');
    const uri = bench.uri({ kind: 'uncommitted' });
    await bench.invoke(uri, 'revert', bench.lines('new.txt', 1, 1));
    await bench.invoke(uri, 'revert', bench.lines('gone.txt', 0, 0));
    expect([bench.has('new.txt'), bench.read('gone.txt')]).toEqual([false, 'bye\n']);
  });

  it('with CRLF and without a newline at the end', async () => {
    bench.write('crlf.txt', '1\r\ntwo\r\nthree\r\nfour');
    const uri = bench.uri({ kind: 'uncommitted' });
    await bench.invoke(uri, 'revert', bench.lines('crlf.txt', 3, 3));
    expect(bench.read('crlf.txt')).toBe('1\r\ntwo\r\nthree');
    await bench.invoke(uri, 'revert', bench.lines('crlf.txt', 0, 0));
    expect(bench.read('crlf.txt')).toBe('one\r\ntwo\r\nthree');
  });

  it('of a turn, whose changeset then shows the rest', async () => {
    const turnId = await bench.turn('/replace a.txt line 2\\n => two\\n\n/replace a.txt line 17 => seventeen');
    const uri = bench.turnUri(turnId);
    const state = await bench.changeset(uri);
    expect(state.files[0]?.edit.diff).toEqual({ added: 2, removed: 2 });
    await bench.invoke(uri, 'revert', bench.lines('a.txt', 2, 2));
    const [file] = (await bench.changeset(uri, ({ files }) => files[0]?.edit.diff?.added === 1)).files;
    expect(await bench.text(file?.edit.after?.content.uri ?? '')).toBe(bench.read('a.txt'));
    await bench.invoke(uri, 'revert', bench.lines('a.txt', 17, 17));
    expect(bench.read('a.txt')).toBe(OLD.join(''));
    await bench.changeset(uri, ({ files }) => files.length === 0);
    await bench.invoke(uri, 'undo');
    await bench.invoke(uri, 'undo');
    expect(bench.read('a.txt')).toContain('two\n');
    await bench.changeset(uri, ({ files }) => files[0]?.edit.diff?.added === 2);
  });
});

describe('never over later work', () => {
  disposeEach();
  const OLD = Array.from({ length: 12 }, (_, line) => `line ${line}\n`).join('');

  it('keeps what was written elsewhere in the file', async () => {
    bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': OLD }) });
    const turnId = await bench.turn('/replace a.txt line 2\\n => by the turn\\n');
    bench.write('a.txt', bench.read('a.txt').replace('line 9', 'by the user'));
    await bench.invoke(bench.turnUri(turnId), 'revert');
    expect(bench.read('a.txt')).toBe(OLD.replace('line 9', 'by the user'));
    const session = await bench.changeset(bench.uri({ kind: 'session' }), ({ files }) => files.length === 0);
    expect(session.files).toEqual([]);
  });

  it('refuses everything where it conflicts, and names file and lines', async () => {
    bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': OLD, 'b.txt': 'b\n' }) });
    const turnId = await bench.turn('/replace a.txt line 2\\n => by the turn\\n\n/append b.txt more\\n');
    bench.write('a.txt', bench.read('a.txt').replace('by the turn', 'by the user'));
    const before = bench.tree();
    const error = await bench.refused(bench.turnUri(turnId), 'revert');
    expect(error.code).toBe(-32603);
    expect(error.message).toContain('a.txt');
    expect(error.message).toContain('line 3');
    expect(bench.tree()).toEqual(before);
  });

  it.each<[string, string, (b: ChangesBench) => void, RegExp]>([
    [
      'a created file that was edited',
      '/write new.txt one\\n',
      (b) => b.write('new.txt', 'one\ntwo\n'),
      /new\.txt.*line 2/,
    ],
    ['an edited file that was deleted', '/append a.txt x\\n', (b) => b.remove('a.txt'), /a\.txt was deleted/],
    ['a deleted file that exists again', '/delete a.txt', (b) => b.write('a.txt', 'again\n'), /a\.txt exists now/],
    [
      'an edited file that is a link now',
      '/append a.txt x\\n',
      (b) => {
        b.remove('a.txt');
        symlinkSync('b', join(b.folder, 'a.txt'));
      },
      /a\.txt.*not text/,
    ],
    [
      'a moved file whose old place is taken',
      '/rename a.txt c.txt',
      (b) => b.write('a.txt', 'mine\n'),
      /a\.txt exists again/,
    ],
    [
      'a file in what is a linked folder now',
      '/write sub/new.txt one\\n',
      (b) => {
        renameSync(join(b.folder, 'sub'), join(b.folder, 'real'));
        symlinkSync('real', join(b.folder, 'sub'));
      },
      /sub is a symbolic link/,
    ],
    [
      'a file whose place is a folder with other files now',
      '/delete a.txt',
      (b) => b.write('a.txt/mine.txt', 'mine\n'),
      /a\.txt.*folder/,
    ],
  ])('refuses %s', async (_what, script, meanwhile, message) => {
    bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': OLD }) });
    const turnId = await bench.turn(script);
    meanwhile(bench);
    const before = bench.tree();
    const error = await bench.refused(bench.turnUri(turnId), 'revert');
    expect(error.message).toMatch(message);
    expect(bench.tree()).toEqual(before);
    expect((await bench.operation(bench.turnUri(turnId), 'undo', 'disabled')).description).toContain('nothing to undo');
  });

  it('leaves the work of a later turn alone', async () => {
    bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': OLD }) });
    const first = await bench.turn('/replace a.txt line 2\\n => first\\n\n/write new.txt new\\n');
    await bench.turn('/replace a.txt line 9\\n => second\\n');
    await bench.invoke(bench.turnUri(first), 'revert');
    expect(bench.tree()).toEqual({ 'a.txt': `- ${OLD.replace('line 9', 'second')}` });
    const session = await bench.changeset(
      bench.uri({ kind: 'session' }),
      ({ files }) => files.length === 1 && files[0]?.edit.diff?.added === 1,
    );
    expect(session.files[0]?.edit.diff).toEqual({ added: 1, removed: 1 });
  });

  it('refuses an undo over newer work', async () => {
    bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': 'one\n' }) });
    bench.write('a.txt', 'two\n');
    const uri = bench.uri({ kind: 'uncommitted' });
    await bench.invoke(uri, 'revert');
    bench.write('a.txt', 'newer\n');
    const error = await bench.refused(uri, 'undo');
    expect(error.message).toContain('a.txt');
    expect(bench.read('a.txt')).toBe('newer\n');
    bench.write('a.txt', 'one\n');
    await bench.invoke(uri, 'undo');
    expect(bench.read('a.txt')).toBe('two\n');
  });

  it('undoes after a restart of the host, and step by step', async () => {
    bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': 'one\n', 'b.txt': 'b\n' }) });
    bench.write('a.txt', 'two\n');
    bench.write('b.txt', 'c\n');
    const uri = bench.uri({ kind: 'uncommitted' });
    await bench.invoke(uri, 'revert', bench.resource('a.txt'));
    await bench.invoke(uri, 'revert', bench.resource('b.txt'));
    bench.git('gc', '-q', '--prune=now');
    await bench.comeBack();
    await bench.invoke(uri, 'undo');
    expect([bench.read('a.txt'), bench.read('b.txt')]).toEqual(['one\n', 'c\n']);
    await bench.invoke(uri, 'undo');
    expect(bench.read('a.txt')).toBe('two\n');
    expect((await bench.refused(uri, 'undo')).code).toBe(-32600);
  });

  it('keeps the permissions that git does not know', async () => {
    bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': 'one\n' }) });
    bench.write('a.txt', 'two\n');
    chmodSync(join(bench.folder, 'a.txt'), 0o600);
    await bench.invoke(bench.uri({ kind: 'uncommitted' }), 'revert');
    expect(bench.read('a.txt')).toBe('one\n');
    expect(statSync(join(bench.folder, 'a.txt')).mode & 0o777).toBe(0o600);
  });
});

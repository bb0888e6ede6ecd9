import type { ChangesetFile } from '@moorage/protocol';
import { describe, expect, it } from 'vitest';
import type { ListedSession } from '../src/connection/session-board.js';
import { diffLines } from '../src/diff/compute.js';
import { reviewFiles } from '../src/review/file.js';
import { fileDiff } from '../src/review/file-diff.js';
import { hunkRange, rangeTarget } from '../src/review/ranges.js';
import { treeRows } from '../src/review/tree.js';
import { isArchived, ordered } from '../src/sessions/order.js';
import { moodOf } from '../src/ui/mood.js';

function file(path: string): ChangesetFile {
  const side = { uri: `file:///w/${path}`, content: { uri: `content:${path}` } };
  return { id: side.uri, edit: { before: side, after: side } };
}

describe('the file tree', () => {
  it('names the folder of a file if the session has several, and more of it if two have the same name', () => {
    const all = ['a/x/1.txt', 'b/x/1.txt', 'c/2.txt'].map(file);
    const paths = (folders: string[]) =>
      reviewFiles(all, folders)
        .map(({ path }) => path)
        .sort();
    expect(paths(['file:///w/a/x', 'file:///w/c'])).toEqual(['/w/b/x/1.txt', 'c/2.txt', 'x/1.txt']);
    expect(paths(['file:///w/a/x', 'file:///w/b/x'])).toEqual(['/w/c/2.txt', 'a/x/1.txt', 'b/x/1.txt']);
  });

  const files = reviewFiles(['z.txt', 'src/b/2.txt', 'src/a.txt', 'src/b/1.txt'].map(file), ['file:///w']);

  it('has folders before files, each once', () => {
    const rows = treeRows(files, new Set());
    expect(rows.map(({ name, depth }) => `${'  '.repeat(depth)}${name}`)).toEqual([
      'src',
      '  b',
      '    1.txt',
      '    2.txt',
      '  a.txt',
      'z.txt',
    ]);
  });

  it('gives folders that hold only a folder one row', () => {
    const deep = reviewFiles(['a/b/c/1.txt', 'a/b/c/d/2.txt', 'e.txt'].map(file), ['file:///w']);
    const shown = treeRows(deep, new Set()).map(({ name, depth }) => `${'  '.repeat(depth)}${name}`);
    expect(shown).toEqual(['a/b/c', '  d', '    2.txt', '  1.txt', 'e.txt']);
    expect(treeRows(deep, new Set(['a/b/c'])).map(({ name }) => name)).toEqual(['a/b/c', 'e.txt']);
  });

  it('hides what is in a closed folder', () => {
    expect(treeRows(files, new Set(['src/b'])).map(({ name }) => name)).toEqual(['src', 'b', 'a.txt', 'z.txt']);
    expect(treeRows(files, new Set(['src'])).map(({ name }) => name)).toEqual(['src', 'z.txt']);
  });
});

describe('the lines that an operation is about', () => {
  const [changed] = reviewFiles([file('a.txt')], ['file:///w']);
  if (!changed) throw new Error('no file');

  it('are those that are there now', () => {
    const lines = diffLines('a\nb\nc\nd\n', 'a\nB\nB2\nc\nd\n', false);
    const range = hunkRange(changed, lines);
    expect(range).toEqual({ file: 'file:///w/a.txt', side: 'after', from: 2, to: 3 });
    expect(range && rangeTarget(changed, range)).toMatchObject({
      side: 'after',
      range: { start: { line: 1, character: 0 }, end: { line: 3, character: 0 } },
    });
  });

  it('or those that were there, when nothing came instead', () => {
    const lines = diffLines('a\nb\nc\nd\n', 'a\nd\n', false);
    expect(hunkRange(changed, lines)).toEqual({ file: 'file:///w/a.txt', side: 'before', from: 2, to: 3 });
  });
});

describe('the list of sessions', () => {
  const session = (title: string, status: number, modifiedAt: number): ListedSession => ({
    resource: `ahp-session:/${title}`,
    provider: 'demo',
    title,
    status,
    createdAt: new Date(0).toISOString(),
    modifiedAt: new Date(modifiedAt).toISOString(),
    host: undefined,
  });

  it('has those first that wait for the user, then the newest, and archived ones apart', () => {
    const all = [session('old', 33, 1), session('new', 33, 3), session('waits', 24, 0), session('kept', 65, 9)];
    expect(
      ordered(
        all.filter((session) => !isArchived(session)),
        '',
      ).map(({ title }) => title),
    ).toEqual(['waits', 'new', 'old']);
    expect(ordered(all, 'NEW').map(({ title }) => title)).toEqual(['new']);
  });

  it('tells what a status means', () => {
    expect([1, 33, 2, 8, 24].map(moodOf)).toEqual(['unread', 'idle', 'error', 'working', 'needs-you']);
  });
});

describe('a file without lines to show', () => {
  const noteOf = (before: string, after: string, ignoreWhitespace = false) =>
    fileDiff({ kind: 'text', before, after }, 'a.txt', { ignoreWhitespace, evenFolded: false });

  it('says why', () => {
    expect(noteOf('', '')).toEqual({ kind: 'note', text: 'The file is empty.' });
    expect(noteOf('a\n', 'a\n')).toEqual({ kind: 'note', text: 'The content is the same.' });
    expect(noteOf('a\n', ' a\n', true)).toEqual({ kind: 'note', text: 'Only whitespace changed.' });
  });
});

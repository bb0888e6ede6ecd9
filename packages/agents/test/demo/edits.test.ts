import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ToolDecision } from '@moorage/host/ports';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FakeTurn } from './support/fake-turn.js';
import { userMessage } from './support/fake-turn.js';
import { emptyFolder, ISOLATIONS, makeFolder, openRig, type Rig, removeFolder } from './support/rig.js';

describe.each(ISOLATIONS)('steps that change files, isolation %s', (isolation) => {
  const folder = makeFolder();
  const outside = makeFolder();
  let rig: Rig;
  beforeAll(async () => {
    rig = await openRig({ isolation, folder });
  });
  beforeEach(() => {
    emptyFolder(folder);
    emptyFolder(outside);
  });
  afterAll(async () => {
    await rig.provider.dispose();
    removeFolder(folder);
    removeFolder(outside);
  });

  const put = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
  const get = (name: string) => readFileSync(join(folder, name), 'utf8');
  const uri = (name: string) => pathToFileURL(join(folder, name)).href;
  const firstEdit = (turn: FakeTurn) => turn.confirmations[0]?.edits?.[0];
  const contents = (turn: FakeTurn) => {
    const edit = firstEdit(turn);
    return [turn.content(edit?.before?.content), turn.content(edit?.after?.content)];
  };

  it('writes a new file after it was confirmed, with the edit as preview', async () => {
    const { turn, outcome } = await rig.run('/write src/new.txt one\\ntwo');
    expect(outcome).toEqual({ kind: 'complete' });
    expect(get('src/new.txt')).toBe('one\ntwo');
    expect(turn.confirmations).toHaveLength(1);
    expect(turn.confirmations[0]).toMatchObject({
      title: 'Write src/new.txt?',
      invocationMessage: 'Write src/new.txt',
      editable: true,
      options: [
        { label: 'Allow once', kind: 'approve' },
        { label: 'Allow for this session', kind: 'approve' },
        { label: 'Deny', kind: 'deny' },
      ],
    });
    expect(JSON.parse(turn.confirmations[0]?.toolInput ?? '')).toEqual({ path: 'src/new.txt', text: 'one\ntwo' });
    const edit = firstEdit(turn);
    expect(edit).toEqual({
      after: { uri: uri('src/new.txt'), content: expect.anything() },
      diff: { added: 2, removed: 0 },
    });
    expect(contents(turn)).toEqual([undefined, 'one\ntwo']);
    expect(turn.kinds).toEqual(['toolCallStart', 'toolCallInput', 'toolCallContent', 'toolCallDone']);
    expect(turn.results).toEqual([
      { success: true, pastTenseMessage: 'Wrote src/new.txt', content: [{ type: 'fileEdit', ...edit }] },
    ]);
  });

  it('replaces a file, keeps its mode, and leaves nothing else behind', async () => {
    put('a.sh', 'old\nkept\n');
    chmodSync(join(folder, 'a.sh'), 0o755);
    const { turn } = await rig.run('/write a.sh new\\nkept\\n');
    expect(get('a.sh')).toBe('new\nkept\n');
    expect(statSync(join(folder, 'a.sh')).mode & 0o777).toBe(0o755);
    expect(readdirSync(folder)).toEqual(['a.sh']);
    expect(firstEdit(turn)).toMatchObject({ before: { uri: uri('a.sh') }, diff: { added: 1, removed: 1 } });
    expect(contents(turn)).toEqual(['old\nkept\n', 'new\nkept\n']);
  });

  it('appends, and creates what is not there', async () => {
    put('log', 'one\n');
    await rig.run('/append log two\\n\n/append deep/new first');
    expect(get('log')).toBe('one\ntwo\n');
    expect(get('deep/new')).toBe('first');
  });

  it('keeps the line endings of a file', async () => {
    put('dos.txt', 'one\r\ntwo\r\n');
    put('mixed.txt', 'one\r\ntwo\n');
    await rig.run('/append dos.txt three\\n\n/replace dos.txt one\\ntwo => 1\\n2\n/append mixed.txt x\\n');
    expect(get('dos.txt')).toBe('1\r\n2\r\nthree\r\n');
    expect(get('mixed.txt')).toBe('one\r\ntwo\nx\n');
  });

  it('replaces the first occurrence only, and takes the new text as it is', async () => {
    put('a.txt', 'b a a');
    await rig.run('/replace a.txt a => $& $1');
    expect(get('a.txt')).toBe('b $& $1 a');
  });

  it('deletes', async () => {
    put('a.txt', 'x\ny\n');
    const { turn } = await rig.run('/delete a.txt');
    expect(existsSync(join(folder, 'a.txt'))).toBe(false);
    expect(firstEdit(turn)).toEqual({
      before: { uri: uri('a.txt'), content: expect.anything() },
      diff: { added: 0, removed: 2 },
    });
  });

  it('renames into folders that are not there yet', async () => {
    put('a b.txt', 'x');
    const { turn } = await rig.run('/rename "a b.txt" deep/er/b.txt');
    expect(get('deep/er/b.txt')).toBe('x');
    expect(existsSync(join(folder, 'a b.txt'))).toBe(false);
    expect(firstEdit(turn)).toMatchObject({
      before: { uri: uri('a b.txt') },
      after: { uri: uri('deep/er/b.txt') },
      diff: { added: 0, removed: 0 },
    });
  });

  it('changes binary files only where their content does not matter', async () => {
    put('bin', Uint8Array.of(0, 255, 1));
    put('latin', Uint8Array.of(0x68, 0xe9));
    const { turn, outcome } = await rig.run(
      '/read bin\n/append latin x\n/replace bin a => b\n/rename bin bin2\n/write latin text\n/delete bin2',
    );
    expect(outcome).toEqual({ kind: 'complete' });
    expect(turn.results.map((result) => result.error?.code)).toEqual([
      'notText',
      'notText',
      'notText',
      undefined,
      undefined,
      undefined,
    ]);
    expect(readdirSync(folder)).toEqual(['latin']);
    expect(turn.confirmations.map(({ edits }) => edits?.[0]?.diff)).toEqual([undefined, undefined, undefined]);
  });

  it('writes through a symbolic link that stays inside, and names the file behind it', async () => {
    mkdirSync(join(folder, 'real'));
    put('real/a.txt', 'old');
    symlinkSync('real/a.txt', join(folder, 'link'));
    const { turn } = await rig.run('/write link new');
    expect(get('real/a.txt')).toBe('new');
    expect(readdirSync(folder).sort()).toEqual(['link', 'real']);
    expect(firstEdit(turn)?.after?.uri).toBe(uri('real/a.txt'));
  });

  it('accepts an absolute path inside the folder', async () => {
    await rig.run(`/write ${join(folder, 'abs.txt')} x`);
    expect(get('abs.txt')).toBe('x');
  });

  describe('what cannot be done ends the call and not the turn', () => {
    beforeEach(() => {
      mkdirSync(join(folder, 'dir'));
      put('a.txt', 'content');
      put('big', Buffer.alloc(4 * 1024 * 1024 + 1, 'x'));
      put('long', Buffer.alloc(256 * 1024 + 1, 'x'));
      writeFileSync(join(outside, 'secret'), 'secret');
      symlinkSync(outside, join(folder, 'away'));
      symlinkSync(join(outside, 'secret'), join(folder, 'leak'));
      symlinkSync(join(outside, 'nothing'), join(folder, 'dangling'));
      symlinkSync('loop', join(folder, 'loop'));
      symlinkSync('a.txt', join(folder, 'link'));
    });

    it.each([
      ['/write ../x.txt hi', 'outsideFolder'],
      ['/write dir/../../x.txt hi', 'outsideFolder'],
      [`/write ${outside}/new hi`, 'outsideFolder'],
      [`/delete ${outside}/secret`, 'outsideFolder'],
      ['/write away/secret hi', 'outsideFolder'],
      ['/write away/new/file hi', 'outsideFolder'],
      ['/write leak hi', 'outsideFolder'],
      ['/append leak hi', 'outsideFolder'],
      ['/read leak', 'outsideFolder'],
      ['/read ../../secret', 'outsideFolder'],
      ['/delete leak', 'outsideFolder'],
      ['/delete away/secret', 'outsideFolder'],
      ['/rename a.txt away/a.txt', 'outsideFolder'],
      ['/rename a.txt ../a.txt', 'outsideFolder'],
      ['/write dangling hi', 'badLink'],
      ['/write loop hi', 'ELOOP'],
      ['/delete link', 'isLink'],
      ['/rename link other', 'isLink'],
      ['/read missing', 'notFound'],
      ['/replace missing a => b', 'notFound'],
      ['/delete missing', 'notFound'],
      ['/rename missing other', 'notFound'],
      ['/rename a.txt dir', 'exists'],
      ['/rename a.txt big', 'exists'],
      ['/rename dir other', 'isFolder'],
      ['/write dir hi', 'isFolder'],
      ['/write . hi', 'isFolder'],
      ['/read dir', 'isFolder'],
      ['/delete dir', 'isFolder'],
      ['/write a.txt/b hi', 'ENOTDIR'],
      ['/replace a.txt nowhere => x', 'noOccurrence'],
      ['/read long', 'tooLarge'],
      ['/write big hi', 'tooLarge'],
      ['/append big hi', 'tooLarge'],
      ['/delete big', 'tooLarge'],
      ['/write nul\0byte hi', 'badPath'],
      [`/write ${'x'.repeat(300)} hi`, 'ENAMETOOLONG'],
    ])('%s: %s', async (line, code) => {
      const { turn, outcome } = await rig.run(`${line}\n/say on`);
      expect(outcome).toEqual({ kind: 'complete' });
      expect(turn.confirmations).toEqual([]);
      expect(turn.results).toHaveLength(1);
      expect(turn.results[0]).toMatchObject({ success: false, error: { code } });
      expect(turn.results[0]?.error?.message).toMatch(/^.+\.$/);
      expect(turn.text).toBe('on');
      expect(readdirSync(outside)).toEqual(['secret']);
      expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
      expect(get('a.txt')).toBe('content');
    });
  });

  describe('the decision of the user', () => {
    const approve = (changes: Partial<ToolDecision>) => ({
      decide: () => ({ approved: true, ...changes }) as ToolDecision,
    });

    it('skips what was denied, and says so with reason and suggestion', async () => {
      const { turn, outcome } = await rig.run('/write a.txt x\n/say on', {
        decide: () => ({
          approved: false,
          reason: 'denied',
          message: { markdown: 'not **now**' },
          suggestion: userMessage('call it b.txt'),
        }),
      });
      expect(outcome).toEqual({ kind: 'complete' });
      expect(existsSync(join(folder, 'a.txt'))).toBe(false);
      expect(turn.results).toEqual([]);
      expect(turn.text).toContain('Skipped: Write a.txt (denied).');
      expect(turn.text).toContain('Reason: not **now**');
      expect(turn.text).toContain('Suggestion: call it b.txt');
      expect(turn.text).toContain('\n\non');
    });

    it('ends the turn when the question was taken back', async () => {
      const { outcome } = await rig.run('/write a.txt x\n/say on', {
        decide: () => ({ approved: false, reason: 'cancelled' }),
      });
      expect(outcome).toEqual({ kind: 'cancelled' });
    });

    it('does what the edited input says', async () => {
      const toolInput = JSON.stringify({ path: 'b.txt', text: 'other' });
      const { turn } = await rig.run('/write a.txt x', approve({ toolInput }));
      expect(readdirSync(folder)).toEqual(['b.txt']);
      expect(get('b.txt')).toBe('other');
      expect(turn.results[0]).toMatchObject({
        success: true,
        pastTenseMessage: 'Wrote b.txt',
        content: [{ type: 'fileEdit', after: { uri: uri('b.txt') }, diff: { added: 1, removed: 0 } }],
      });
    });

    it.each([
      ['not JSON', 'badInput'],
      ['{"path": "a.txt"}', 'badInput'],
      ['{"path": 1, "text": ""}', 'badInput'],
      ['null', 'badInput'],
      ['{"path": "../a.txt", "text": ""}', 'outsideFolder'],
    ])('refuses the edited input %s', async (toolInput, code) => {
      const { turn, outcome } = await rig.run('/write a.txt x', approve({ toolInput }));
      expect(outcome).toEqual({ kind: 'complete' });
      expect(turn.results[0]).toMatchObject({ success: false, error: { code } });
      expect(readdirSync(folder)).toEqual([]);
    });

    it('leaves a file alone that changed while the user was asked', async () => {
      put('a.txt', 'one');
      put('b.txt', 'one');
      const { turn } = await rig.run('/write a.txt mine\n/delete b.txt', {
        decide: () => {
          put('a.txt', 'theirs');
          put('b.txt', 'theirs');
          return { approved: true };
        },
      });
      expect(get('a.txt')).toBe('theirs');
      expect(turn.results[0]).toMatchObject({ success: false, error: { code: 'changed' } });
    });

    it('adds to a file that changed while the user was asked, and reports what was really there', async () => {
      put('a.txt', 'one\n');
      const { turn } = await rig.run('/append a.txt mine\\n', {
        decide: () => {
          put('a.txt', 'theirs\n');
          return { approved: true };
        },
      });
      expect(get('a.txt')).toBe('theirs\nmine\n');
      const [content] = turn.results[0]?.content ?? [];
      expect(content?.type === 'fileEdit' && turn.content(content.before?.content)).toBe('theirs\n');
    });

    it('asks no more after "Allow for this session", until told to', async () => {
      const { turn } = await rig.run('/write a.txt 1\n/write b.txt 2\n/auto off\n/write c.txt 3', {
        decide: (request) => ({ approved: true, option: pick(request.options, 'Allow for this session') }),
      });
      expect(turn.confirmations.map(({ invocationMessage }) => invocationMessage)).toEqual([
        'Write a.txt',
        'Write c.txt',
      ]);
      const running = turn.events.filter((event) => event.kind === 'toolCallRunning');
      expect(running).toMatchObject([{ invocationMessage: 'Write b.txt', confirmed: 'setting' }]);
      expect(readdirSync(folder)).toEqual(['a.txt', 'b.txt', 'c.txt']);
      await rig.run('/auto off');
    });

    it('asks nothing with /auto on', async () => {
      const { turn } = await rig.run('/auto on\n/write a.txt 1\n/delete a.txt\n/auto off');
      expect(turn.confirmations).toEqual([]);
      expect(turn.results.map(({ success }) => success)).toEqual([true, true]);
    });
  });

  it('fails clearly without a working directory', async () => {
    const other = await openRig({ provider: rig.provider });
    const { turn, outcome } = await other.run('/write a x\n/read a\n/say on');
    expect(outcome).toEqual({ kind: 'complete' });
    expect(turn.results.map(({ error }) => error?.code)).toEqual(['noFolder', 'noFolder']);
    expect(turn.text).toBe('on');
    await other.chat.dispose();
  });

  it('fails clearly when the working directory is gone', async () => {
    const other = await openRig({ provider: rig.provider, folder: join(outside, 'gone') });
    const { turn } = await other.run('/write a x');
    expect(turn.results[0]?.error?.message).toContain('is not accessible');
    await other.chat.dispose();
  });

  it('names files under the folder as the session does, though that is a symbolic link', async () => {
    symlinkSync(folder, join(outside, 'work'));
    const other = await openRig({ provider: rig.provider, folder: join(outside, 'work') });
    const { turn } = await other.run(`/write a.txt x\n/write ${join(outside, 'work', 'b.txt')} y`);
    const named = (name: string) => pathToFileURL(join(outside, 'work', name)).href;
    expect(turn.confirmations.map(({ edits }) => edits?.[0]?.after?.uri)).toEqual([named('a.txt'), named('b.txt')]);
    expect(get('a.txt') + get('b.txt')).toBe('xy');
    await other.chat.dispose();
  });
});

function pick<T extends { label: string }>(options: readonly T[] | undefined, label: string): T {
  const option = options?.find((candidate) => candidate.label === label);
  if (!option) throw new Error(`no option ${label}`);
  return option;
}

import { join } from 'node:path';
import { demoAgent } from '@moorage/agents/demo';
import type { SessionState } from '@moorage/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';
import { commitAll } from '../support/repository.js';
import { testAgent } from '../support/test-agent.js';

let bench: ChangesBench;
afterEach(() => bench.dispose());

describe('a file that is committed and ignored', () => {
  it('is seen when one turn removes it and the next writes it', async () => {
    bench = await ChangesBench.start({
      prepare: (b) => {
        b.commit({ '.gitignore': '*.cfg\n' });
        b.write('kept.cfg', 'one\n');
        b.git('add', '-f', 'kept.cfg');
        b.git('commit', '-q', '-m', 'Keep it');
      },
    });
    const removed = await bench.turn('/delete kept.cfg');
    const written = await bench.turn('/run echo two > kept.cfg; echo no > other.cfg');
    const shown = async (uri: string) =>
      (await bench.changeset(uri)).files.map(({ id, edit }) => [id, edit.diff?.added, edit.diff?.removed]);
    expect(await shown(bench.turnUri(removed))).toEqual([[bench.fileUri('kept.cfg'), 0, 1]]);
    expect(await shown(bench.turnUri(written))).toEqual([[bench.fileUri('kept.cfg'), 1, 0]]);
    expect(await shown(bench.uri({ kind: 'session' }))).toEqual([[bench.fileUri('kept.cfg'), 1, 1]]);
  });
});

describe('what no state of the folder shows', () => {
  const start = async () => {
    bench = await ChangesBench.start({
      prepare: (b) => {
        b.write('nested/n.txt', 'one\n');
        commitAll(join(b.folder, 'nested'));
        b.commit({ '.gitignore': '.env\n*.secret\nnode_modules/\n', 'a.txt': 'a\n' });
        b.write('.env', 'A=1\n');
        b.write('deep/x.secret', 'old\n');
      },
    });
    return bench.uri({ kind: 'elsewhere' });
  };
  /** Each file with its two contents and notes. */
  const shown = async (uri: string) => {
    const { files } = await bench.changeset(uri, ({ status }) => status === 'ready');
    const text = (side: { content: { uri: string } } | undefined) => side && bench.text(side.content.uri);
    const all = files.map(async ({ id, edit, _meta }) => {
      const path = id.slice(bench.fileUri('').length);
      return [path, [await text(edit.before), await text(edit.after), _meta?.['moorage.elsewhere']]] as const;
    });
    return Object.fromEntries(await Promise.all(all));
  };
  const offered = async () =>
    (await bench.client.subscribe<SessionState>(bench.session)).changesets?.find(
      ({ changeKind }) => changeKind === 'elsewhere',
    );

  it('are ignored files that a command changed, but not dependencies', async () => {
    const uri = await start();
    expect(await offered()).toBeUndefined();
    await bench.turn(
      '/run echo B=2 >> .env; mkdir -p node_modules/x; echo 1 > node_modules/x/i.js; echo new > deep/x.secret; echo t > top.secret',
    );
    expect(await shown(uri)).toEqual({
      '.env': ['A=1\n', 'A=1\nB=2\n', 'ignored'],
      'deep/x.secret': [undefined, 'new\n', 'ignored'],
      'top.secret': [undefined, 't\n', 'ignored'],
    });
    const { files } = await bench.changeset(uri, ({ status }) => status === 'ready');
    const unknown = files.filter(({ _meta }) => _meta?.['moorage.beforeUnknown']).map(({ id }) => id);
    expect(unknown).toEqual([bench.fileUri('deep/x.secret')]); // it was there, which nobody had noted
    expect(files.find(({ id }) => id.endsWith('/.env'))?.edit.diff).toEqual({ added: 1, removed: 0 });
    expect(await offered()).toMatchObject({ files: 3, additions: 2 });
    expect((await bench.changeset(bench.uri({ kind: 'session' }))).files).toEqual([]);
    await bench.comeBack();
    await bench.turn('/run printf "A=1\\n" > .env; rm top.secret');
    expect(Object.keys(await shown(uri))).toEqual(['deep/x.secret']);
  });

  it('are shown while the turn runs, and follow what it does', async () => {
    const uri = await start();
    const turn = bench.startTurn(
      '/run echo B=2 >> .env; until [ -e go1 ]; do sleep 0.02; done; echo C=3 >> .env; echo two > nested/n.txt; until [ -e go2 ]; do sleep 0.02; done; rm .env; echo A=1 > .env',
    );
    await bench.client.envelope(
      ({ channel, action }) =>
        channel === bench.session &&
        action.type === 'session/changesetsChanged' &&
        action.changesets?.some(({ changeKind, additions }) => changeKind === 'elsewhere' && additions === 1) === true,
    );
    expect(await shown(uri)).toEqual({ '.env': ['A=1\n', 'A=1\nB=2\n', 'ignored'] });
    bench.write('go1', ''); // the user's, while the call runs: not ignored, so not here
    await bench.changeset(uri, ({ files }) => files[0]?.edit.diff?.added === 2 && files.length === 2);
    expect(await shown(uri)).toEqual({
      '.env': ['A=1\n', 'A=1\nB=2\nC=3\n', 'ignored'],
      'nested/n.txt': [undefined, 'two\n', 'nested'], // what was in it nobody had noted
    });
    bench.write('go2', '');
    await bench.turnEnded(turn);
    await bench.changeset(uri, ({ files }) => files.length === 1);
    expect(await offered()).toMatchObject({ files: 1 });
  });

  it('says of a file among very many that nobody knows what was in it, not that it is new', async () => {
    const uri = await start();
    for (let at = 0; at < 600; at++) bench.write(`many-${at}.secret`, 'old\n');
    bench.write('z.secret', 'old\n');
    await bench.turn('/run echo B=2 >> .env; echo new > z.secret; echo new > zz.secret');
    const { files } = await bench.changeset(uri, ({ status }) => status === 'ready');
    const notes = files.map(({ id, edit, _meta }) => [
      id.split('/').at(-1),
      edit.diff?.added,
      _meta?.['moorage.beforeUnknown'] ?? false,
    ]);
    expect(notes.sort()).toEqual([
      ['.env', 1, false],
      ['z.secret', undefined, true],
      ['zz.secret', 1, false],
    ]);
  });

  it('are files that the agent says it edited: ignored, in a nested repository', async () => {
    const uri = await start();
    await bench.turn('/replace .env A=1 => A=2\n/replace nested/n.txt one => two\n/write a.txt tracked\\n');
    expect(await shown(uri)).toEqual({
      '.env': ['A=1\n', 'A=2\n', 'ignored'],
      'nested/n.txt': ['one\n', 'two\n', 'nested'],
    });
    expect(await bench.refused(uri, 'revert')).toMatchObject({ code: -32602 });
  });

  it('are files outside the folder that the agent says it edited, at once', async () => {
    let goOn = () => {};
    const seen = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const agent = testAgent({
      prompt: async (turn) => {
        const toolCallId = 'edit';
        turn.emit({ kind: 'toolCallStart', toolCallId, toolName: 'edit', displayName: 'Edit' });
        turn.emit({ kind: 'toolCallRunning', toolCallId, invocationMessage: 'Edit', confirmed: 'not-needed' });
        const side = (text: string) => ({ uri: 'file:///elsewhere/notes.txt', content: turn.storeContent(text) });
        bench.write('new.txt', 'new\n'); // not ignored, so not here
        const made = { uri: bench.fileUri('new.txt'), content: turn.storeContent('new\n') };
        const content = [
          { type: 'fileEdit' as const, after: made },
          { type: 'fileEdit' as const, before: side('one\ntwo\n'), after: side('one\n2\n') },
        ];
        turn.emit({ kind: 'toolCallDone', toolCallId, result: { success: true, pastTenseMessage: 'Edited', content } });
        await seen;
        return undefined;
      },
    });
    bench = await ChangesBench.start({
      agents: () => [demoAgent({ isolation: 'none' }), agent],
      prepare: (b) => b.commit({ 'a.txt': 'a\n' }),
    });
    ({ session: bench.session, chat: bench.chat } = await bench.host.session(bench.client, { provider: 'test' }));
    const turn = bench.startTurn('go');
    const uri = bench.uri({ kind: 'elsewhere' });
    const { files: atOnce } = await bench.changeset(uri, ({ files }) => files.length > 0);
    expect(atOnce.map(({ id }) => id)).toEqual(['file:///elsewhere/notes.txt']);
    goOn();
    await bench.turnEnded(turn);
    const { files } = await bench.changeset(uri, ({ status }) => status === 'ready');
    expect(files).toMatchObject([
      {
        id: 'file:///elsewhere/notes.txt',
        edit: { diff: { added: 1, removed: 1 } },
        _meta: { 'moorage.elsewhere': 'outside' },
      },
    ]);
    expect(await bench.text(files[0]?.edit.after?.content.uri ?? '')).toBe('one\n2\n');
  });
});

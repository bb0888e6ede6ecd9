import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gitWorktrees } from '@moorage/host';
import { fileUri, fileUriIn, type SessionState, sessionUri } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';
import { commitAll } from '../support/repository.js';

let bench: ChangesBench;
afterEach(() => bench.dispose());

/** A session in a work tree of its own, after one turn. */
async function attempt(script: string, more: object = { config: { isolation: 'worktree' } }): Promise<string> {
  bench.session = sessionUri.format(crypto.randomUUID());
  const workingDirectories = [pathToFileURL(join(bench.folder, 'repo')).href];
  await bench.client.request('createSession', {
    channel: bench.session,
    provider: 'demo',
    workingDirectories,
    ...more,
  });
  const state = await bench.client.subscribe<SessionState>(bench.session);
  bench.chat = state.defaultChat ?? '';
  await bench.client.subscribe(bench.chat);
  if (!state.changesets) await bench.client.action(bench.session, 'session/changesetsChanged');
  await bench.turn(script);
  return bench.session;
}

const compare = (channel: string, other: string) => bench.client.request('moorage/compareSessions', { channel, other });
const folderOf = async (session: string) =>
  (await bench.client.subscribe<SessionState>(session)).workingDirectories?.[0] ?? '';

beforeEach(async () => {
  bench = await ChangesBench.start({
    worktrees: (folder) => gitWorktrees({ directory: join(folder, 'worktrees') }),
    prepare: (b) => {
      mkdirSync(join(b.folder, 'repo'));
      for (const name of ['a', 'b', 'c', 'd']) b.write(`repo/${name}.txt`, 'one\ntwo\nthree\n');
      commitAll(join(b.folder, 'repo'));
    },
  });
});

describe('two sessions that worked on the same task', () => {
  it('are compared file by file, also where only one of them changed something', async () => {
    const first = await attempt(
      '/replace a.txt two => first\n/replace b.txt two => same\n/replace c.txt one => ONE\n/write new.txt new',
    );
    const second = await attempt('/replace a.txt two => second\n/replace b.txt two => same\n/delete d.txt');
    const { files, left } = await compare(first, second);
    const [mine, theirs] = [await folderOf(first), await folderOf(second)];
    const shown = await Promise.all(
      files.map(async ({ id, edit }) => {
        const text = async (side: 'before' | 'after') => edit[side] && bench.text(edit[side].content.uri);
        return [id.slice(theirs.length + 1), await text('before'), await text('after'), edit.diff];
      }),
    );
    expect(shown).toEqual([
      ['a.txt', 'one\nfirst\nthree\n', 'one\nsecond\nthree\n', { added: 1, removed: 1 }],
      ['c.txt', 'ONE\ntwo\nthree\n', 'one\ntwo\nthree\n', { added: 1, removed: 1 }],
      ['d.txt', 'one\ntwo\nthree\n', undefined, { added: 0, removed: 3 }],
      ['new.txt', 'new', undefined, { added: 0, removed: 1 }],
    ]);
    expect(left).toBe(0);
    expect(files[0]?.edit).toMatchObject({
      before: { uri: fileUriIn(mine, 'a.txt') },
      after: { uri: fileUriIn(theirs, 'a.txt') },
    });
  });

  it('may have worked in the same folder one after the other', async () => {
    const first = await attempt('/replace a.txt two => first', {});
    const second = await attempt('/replace a.txt first => second', {});
    const { files } = await compare(first, second);
    expect(files.map(({ id }) => id)).toEqual([fileUri(join(bench.folder, 'repo/a.txt'))]);
  });

  it('are refused if one is not there, or both are the same', async () => {
    const first = await attempt('/say nothing');
    const refused = (other: string) => bench.client.refused('moorage/compareSessions', { channel: first, other });
    expect(await refused(first)).toMatchObject({ code: -32602 });
    expect(await refused('ahp-session:/none')).toMatchObject({ code: -32001 });
    expect(await compare(first, await attempt('/say nothing'))).toEqual({ files: [], left: 0 });
  });
});

import { writeFileSync } from 'node:fs';
import * as fsPromises from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { GitWorkspacesOptions } from '@moorage/host';
import { type ChangesetState, fileUri, ROOT_URI, type SessionState, sessionUri } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';
import { commitAll, gitOutput } from '../support/repository.js';

let bench: ChangesBench;
const pathOf = (name: string) => join(bench.folder, name);
const folderOf = (name: string) => pathToFileURL(pathOf(name)).href;
const git = (folder: string, ...args: string[]) => gitOutput(pathOf(folder), ...args);
const hasFiles = (count: number) => (state: ChangesetState) => state.files.length === count;

const OLD = { 'api/a.txt': '- one\ntwo\nthree\n', 'web/a.txt': '- one\ntwo\nthree\n' };
const NEW = { 'api/a.txt': '- one\nTWO\nthree\n', 'web/a.txt': '- one\ntwo\nTHREE\n', 'web/new.txt': '- new' };

/** While this is set, no file of `web` can be exchanged. */
let isBroken = false;
const fileSystem = {
  ...fsPromises,
  replace: async (from: string, to: string) => {
    if (isBroken && to.includes('/web/')) throw Object.assign(new Error('replace failed'), { code: 'EACCES' });
    await fsPromises.rename(from, to);
    return true;
  },
} as unknown as NonNullable<GitWorkspacesOptions['fileSystem']>;

beforeEach(async () => {
  isBroken = false;
  bench = await ChangesBench.start({
    fileSystem,
    prepare: (b) => {
      for (const name of ['api', 'web']) {
        b.write(`${name}/a.txt`, 'one\ntwo\nthree\n');
        commitAll(join(b.folder, name));
        gitOutput(join(b.folder, name), 'config', 'user.name', 'Ada');
        gitOutput(join(b.folder, name), 'config', 'user.email', 'ada@localhost');
      }
    },
  });
  bench.session = sessionUri.format(crypto.randomUUID());
  const workingDirectories = [folderOf('api'), folderOf('web')];
  await bench.client.request('createSession', { channel: bench.session, provider: 'demo', workingDirectories });
  const state = await bench.client.subscribe<SessionState>(bench.session);
  bench.chat = state.defaultChat ?? '';
  await bench.client.subscribe(bench.chat);
  if (!state.changesets) await bench.client.action(bench.session, 'session/changesetsChanged');
  await bench.turn(
    `/replace a.txt two => TWO\n/replace ${pathOf('web/a.txt')} three => THREE\n/write ${pathOf('web/new.txt')} new`,
  );
});
afterEach(() => bench.dispose());

async function history(name: string) {
  const { items } = await bench.client.request('moorage/listHistory', { channel: ROOT_URI, folder: folderOf(name) });
  return items;
}

describe('in several folders', () => {
  it.each(['session', 'turn', 'uncommitted'] as const)(
    'a revert of %s is one operation, and so is its undo',
    async (kind) => {
      const uri = kind === 'turn' ? bench.turnUri('turn-1') : bench.uri({ kind });
      await bench.changeset(uri, hasFiles(3));
      await bench.invoke(uri, 'revert');
      expect(bench.tree()).toEqual(OLD);
      await bench.changeset(uri, hasFiles(0));
      await bench.invoke(uri, 'undo');
      expect(bench.tree()).toEqual(NEW);
      await bench.changeset(uri, hasFiles(3));
    },
  );

  it('a revert of a file or lines changes only its folder', async () => {
    const uri = bench.uri({ kind: 'session' });
    const resource = fileUri(pathOf('web/a.txt'));
    await bench.invoke(uri, 'revert', { kind: 'resource', resource });
    expect(bench.tree()).toEqual({ ...NEW, 'web/a.txt': OLD['web/a.txt'] });
    await bench.invoke(uri, 'undo');
    expect(bench.tree()).toEqual(NEW);
    const range = { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } };
    await bench.invoke(uri, 'revert', { kind: 'range', resource: fileUri(pathOf('api/a.txt')), range });
    expect(bench.tree()).toEqual({ ...NEW, 'api/a.txt': OLD['api/a.txt'] });
    expect([(await history('api')).length, (await history('web')).length]).toEqual([1, 2]);
  });

  it('nothing is changed anywhere if one folder refuses', async () => {
    bench.write('web/a.txt', 'one\ntwo\nsomething else\n');
    const before = bench.tree();
    const { message } = await bench.refused(bench.turnUri('turn-1'), 'revert');
    expect(message).toContain('a.txt');
    expect(bench.tree()).toEqual(before);
    expect([await history('api'), await history('web')]).toEqual([[], []]);
  });

  it('what was done is taken back if a later folder cannot be changed', async () => {
    isBroken = true;
    const { message } = await bench.refused(bench.uri({ kind: 'session' }), 'revert');
    isBroken = false;
    expect(message).toContain('no permission to write');
    expect(bench.tree()).toEqual(NEW);
    expect((await history('api')).map(({ operation, undone }) => [operation, undone])).toEqual([
      ['undo', 'none'],
      ['revert', 'all'],
    ]);
    await bench.invoke(bench.uri({ kind: 'session' }), 'revert');
    expect(bench.tree()).toEqual(OLD);
  });

  it('a step is undone and redone in all of them from the history of one', async () => {
    await bench.invoke(bench.uri({ kind: 'session' }), 'revert');
    const [step] = await history('web');
    const params = { channel: ROOT_URI, folder: folderOf('web'), step: step?.id ?? '' } as const;
    await bench.client.request('moorage/undoHistoryStep', params);
    expect(bench.tree()).toEqual(NEW);
    await bench.client.request('moorage/redoHistoryStep', params);
    expect(bench.tree()).toEqual(OLD);
    expect((await history('api')).map(({ operation }) => operation)).toEqual(['redo', 'undo', 'revert']);
  });

  it('a step is undone after a restart, and when the session is gone', async () => {
    await bench.invoke(bench.uri({ kind: 'session' }), 'revert');
    await bench.comeBack();
    await bench.client.request('disposeSession', { channel: bench.session });
    await bench.client.request('moorage/undoHistoryStep', { channel: ROOT_URI, folder: folderOf('api') });
    expect(bench.tree()).toEqual(NEW);
  });

  it('staging, committing and their undo concern each repository', async () => {
    const uri = bench.uri({ kind: 'uncommitted' });
    await bench.invoke(uri, 'stage', { kind: 'resource', resource: fileUri(pathOf('web/new.txt')) });
    // Something is staged, so only that is committed, in the folder that has it.
    await bench.invoke(uri, 'commit', undefined, { 'moorage.message': 'Add new' });
    expect([git('api', 'log', '--format=%s', '-1'), git('web', 'log', '--format=%s', '-1')]).toEqual([
      'start\n',
      'Add new\n',
    ]);
    await bench.invoke(uri, 'commit', undefined, { 'moorage.message': 'Shout' });
    for (const name of ['api', 'web']) {
      expect(git(name, 'log', '--format=%s', '-1')).toBe('Shout\n');
      expect(git(name, 'status', '--porcelain')).toBe('');
    }
    await bench.invoke(uri, 'undo');
    expect([git('api', 'log', '--format=%s', '-1'), git('web', 'log', '--format=%s', '-1')]).toEqual([
      'start\n',
      'Add new\n',
    ]);
    expect(git('api', 'status', '--porcelain')).toBe(' M a.txt\n');
  });

  it('a commit that a later repository refuses is taken back in the earlier one', async () => {
    const hook = pathOf('web/.git/hooks/pre-commit');
    writeFileSync(hook, '#!/bin/sh\necho not today >&2\nexit 1\n', { mode: 0o755 });
    const { message } = await bench.refused(bench.uri({ kind: 'uncommitted' }), 'commit');
    expect(message).toContain('not today');
    expect([git('api', 'log', '--format=%s', '-1'), git('web', 'log', '--format=%s', '-1')]).toEqual([
      'start\n',
      'start\n',
    ]);
    expect(git('api', 'status', '--porcelain')).toBe(' M a.txt\n');
  });

  it('the patch has a part for each folder', async () => {
    const { followUp } = await bench.invoke(bench.uri({ kind: 'session' }), 'open-diff');
    const patch = await bench.text(followUp?.content.uri ?? '');
    expect(patch).toContain(`In ${pathOf('api')}:\n`);
    expect(patch).toContain(`In ${pathOf('web')}:\n`);
    expect(patch.match(/^\+[A-Z]+$/gm)).toEqual(['+TWO', '+THREE']);
  });

  it('restoring a turn brings all of them back', async () => {
    await bench.turn(`/write b.txt later\n/write ${pathOf('web/b.txt')} later`);
    await bench.invoke(bench.turnUri('turn-1'), 'restore');
    expect(bench.tree()).toEqual(NEW);
  });

  it('two sessions with the same folders in another order do not wait for each other for ever', async () => {
    const other = sessionUri.format(crypto.randomUUID());
    const workingDirectories = [folderOf('web'), folderOf('api')];
    await bench.client.request('createSession', { channel: other, provider: 'demo', workingDirectories });
    const state = await bench.client.subscribe<SessionState>(other);
    if (!state.changesets) await bench.client.action(other, 'session/changesetsChanged');
    const uris = [bench.uri({ kind: 'uncommitted' }), bench.uri({ kind: 'uncommitted' }).replace(bench.session, other)];
    await Promise.allSettled(
      Array.from({ length: 6 }, (_, n) => bench.invoke(uris[n % 2] ?? '', n % 4 < 2 ? 'stage' : 'unstage')),
    );
    expect(bench.tree()).toEqual(NEW);
  });
});

import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { demoAgent } from '@moorage/agents/demo';
import { type AgentProvider, gitWorktrees } from '@moorage/host';
import {
  type ChangesetState,
  type ChatState,
  ExtensionMeta,
  fileUri,
  ROOT_URI,
  type RootState,
  type SessionState,
  sessionUri,
} from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';
import { commitAll, gitOutput } from '../support/repository.js';

let bench: ChangesBench;
const pathOf = (name: string) => join(bench.folder, name);
const folderOf = (name: string) => pathToFileURL(pathOf(name)).href;
const file = (path: string) => fileUri(pathOf(path));
const git = (folder: string, ...args: string[]) => gitOutput(pathOf(folder), ...args);

beforeEach(async () => {
  bench = await ChangesBench.start({
    prepare: (b) => {
      for (const name of ['api', 'web']) {
        b.write(`${name}/a.txt`, 'one\ntwo\nthree\n');
        commitAll(join(b.folder, name));
      }
      b.write('notes/plan.txt', 'old\n');
    },
  });
  await newSession(['api', 'web']);
});
afterEach(() => bench.dispose());

/** Makes the session of the bench one in these folders. */
async function newSession(names: readonly string[], more: Record<string, unknown> = {}): Promise<void> {
  bench.session = sessionUri.format(crypto.randomUUID());
  await bench.client.request('createSession', {
    channel: bench.session,
    provider: 'demo',
    workingDirectories: names.map(folderOf),
    ...more,
  });
  const state = await bench.client.subscribe<SessionState>(bench.session);
  bench.chat = state.defaultChat ?? '';
  await bench.client.subscribe(bench.chat);
  if (!state.changesets) await bench.client.action(bench.session, 'session/changesetsChanged');
}

const session = () => bench.client.subscribe<SessionState>(bench.session);
const ids = ({ files }: ChangesetState) => files.map(({ id }) => id);
const hasFiles = (count: number) => (state: ChangesetState) =>
  state.files.length === count && state.operations !== undefined;

/** A turn that changes a line in both folders. */
const changeBoth = () =>
  bench.turn(
    `/replace a.txt two => TWO\n/replace ${pathOf('web/a.txt')} three => THREE\n/write ${pathOf('web/new.txt')} new`,
  );

async function rejected(action: Parameters<ChangesBench['client']['dispatch']>[1], channel = bench.session) {
  const clientSeq = bench.client.dispatch(channel, action);
  const { rejectionReason } = await bench.client.envelope(
    (e) => e.origin?.clientSeq === clientSeq && e.origin.clientId === bench.client.clientId,
  );
  return rejectionReason;
}

describe('a session with several folders', () => {
  it('is announced for agents that take them, and keeps all of them in state and lists', async () => {
    const { agents } = await bench.client.subscribe<RootState>(ROOT_URI);
    expect(agents.map(({ capabilities }) => capabilities?.multipleWorkingDirectories)).toEqual([
      { immutablePrimary: true },
    ]);
    const both = [folderOf('api'), folderOf('web')];
    expect((await session()).workingDirectories).toEqual(both);
    const { items } = await bench.client.request('listSessions', { channel: ROOT_URI });
    expect(items.find(({ resource }) => resource === bench.session)?.workingDirectories).toEqual(both);
  });

  it('shows what a turn changed in all folders as one review, with counts', async () => {
    const turn = await changeBoth();
    const all = [file('api/a.txt'), file('web/a.txt'), file('web/new.txt')];
    for (const uri of [
      bench.turnUri(turn),
      bench.uri({ kind: 'session' }),
      bench.uri({ kind: 'uncommitted' }),
      bench.uri({ kind: 'chat', chat: bench.chat }),
    ])
      expect(ids(await bench.changeset(uri, hasFiles(3))), uri).toEqual(all);
    const [first, second] = (await bench.changeset(bench.uri({ kind: 'session' }))).files;
    expect(await bench.text(first?.edit.after?.content.uri ?? '')).toBe('one\nTWO\nthree\n');
    expect(await bench.text(second?.edit.before?.content.uri ?? '')).toBe('one\ntwo\nthree\n');
    const entry = (await session()).changesets?.find(({ changeKind }) => changeKind === 'session');
    expect(entry).toMatchObject({ files: 3, additions: 3, deletions: 2 });
    const { chats } = await session();
    expect(chats[0]?.changes).toEqual({ files: 3, additions: 3, deletions: 2 });
  });

  it('follows edits in every folder while somebody watches', async () => {
    const uri = bench.uri({ kind: 'uncommitted' });
    await bench.changeset(uri);
    bench.write('web/mine.txt', 'mine\n');
    expect(ids(await bench.changeset(uri, hasFiles(1)))).toEqual([file('web/mine.txt')]);
  });

  it('tells whose a line is in each folder', async () => {
    const turn = await changeBoth();
    bench.write('web/a.txt', 'MINE\ntwo\nTHREE\n');
    const blame = await bench.client.request('moorage/blame', {
      channel: bench.uri({ kind: 'uncommitted' }),
      file: file('web/a.txt'),
      side: 'after',
    });
    const whose = blame.spans.map(({ start, addedBy }) => [start, blame.authors[addedBy ?? -1]?.whose]);
    expect(whose).toEqual([
      [0, 'user'],
      [1, undefined],
      [2, 'agent'],
    ]);
    expect(blame.authors.find((author) => author.whose === 'agent')?.turns?.[0]?.turnId).toBe(turn);
    // The user's line is not the session's.
    const { files } = await bench.changeset(bench.uri({ kind: 'session' }), hasFiles(3));
    expect(files[1]?.edit.diff).toEqual({ added: 1, removed: 1 });
  });

  it('remembers what was reviewed in each folder by itself, although paths are the same', async () => {
    await changeBoth();
    const uri = bench.uri({ kind: 'session' });
    await bench.changeset(uri, hasFiles(3));
    const marked = (state: ChangesetState) => state.files.filter(({ reviewed }) => reviewed).map(({ id }) => id);
    bench.client.dispatch(uri, { type: 'changeset/filesReviewChanged', files: [file('web/a.txt')], reviewed: true });
    await bench.changeset(bench.uri({ kind: 'uncommitted' }), (state) => marked(state).join() === file('web/a.txt'));
    await bench.client.request('moorage/reviewLines', {
      channel: uri,
      file: file('api/a.txt'),
      side: 'after',
      lines: { start: 1, count: 1 },
      reviewed: true,
    });
    const both = [file('api/a.txt'), file('web/a.txt')].join();
    await bench.changeset(uri, (state) => marked(state).join() === both);
  });

  it('keeps everything across a restart, and continues', async () => {
    const turn = await changeBoth();
    await bench.comeBack();
    const all = [file('api/a.txt'), file('web/a.txt'), file('web/new.txt')];
    expect(ids(await bench.changeset(bench.turnUri(turn), hasFiles(3)))).toEqual(all);
    await bench.turn(`/write ${pathOf('web/more.txt')} more`);
    await bench.changeset(bench.uri({ kind: 'session' }), hasFiles(4));
    const compared = bench.uri({ kind: 'compare-turns', originalTurnId: turn, modifiedTurnId: 'turn-2' });
    expect(ids(await bench.changeset(compared, hasFiles(1)))).toEqual([file('web/more.txt')]);
  });

  it('may have folders without a repository', async () => {
    await newSession(['api', 'notes']);
    await bench.turn(`/write a.txt other\n/write ${pathOf('notes/plan.txt')} new`);
    const uri = bench.uri({ kind: 'uncommitted' });
    expect(ids(await bench.changeset(uri, hasFiles(2)))).toEqual([file('api/a.txt'), file('notes/plan.txt')]);
    await bench.invoke(uri, 'stage');
    expect(git('api', 'diff', '--cached', '--name-only')).toBe('a.txt\n');
    await bench.invoke(bench.uri({ kind: 'session' }), 'revert');
    expect([bench.read('api/a.txt'), bench.read('notes/plan.txt')]).toEqual(['one\ntwo\nthree\n', 'old\n']);
  });

  it('keeps what is ignored in its folders, and what is outside of them, in `elsewhere`', async () => {
    bench.write('web/.gitignore', '.env\n');
    commitAll(pathOf('web'));
    await bench.turn(`/write ${pathOf('web/.env')} SECRET=1\n/write ${pathOf('web/seen.txt')} seen`);
    const { files } = await bench.changeset(bench.uri({ kind: 'elsewhere' }), ({ files: all }) => all.length > 0);
    expect(files.map(({ id, _meta }) => [id, _meta?.[ExtensionMeta.elsewhere]])).toEqual([
      [file('web/.env'), 'ignored'],
    ]);
  });

  it('lets its agent change nothing outside of its folders', async () => {
    bench.write('outside.txt', 'outside\n');
    symlinkSync(pathOf('outside.txt'), pathOf('web/link.txt'));
    await bench.turn(`/write ${pathOf('outside.txt')} changed`).catch(() => undefined);
    await bench.turn(`/write ${pathOf('web/link.txt')} changed`).catch(() => undefined);
    expect(bench.read('outside.txt')).toBe('outside\n');
  });

  it('works on when a folder vanishes, says so, and shows it again when it is back', async () => {
    await changeBoth();
    const uri = bench.uri({ kind: 'session' });
    await bench.changeset(uri, hasFiles(3));
    renameSync(pathOf('web'), pathOf('gone'));
    await bench.turn('/write later.txt later');
    expect(ids(await bench.changeset(uri, hasFiles(2)))).toEqual([file('api/a.txt'), file('api/later.txt')]);
    expect((await session())._meta?.[ExtensionMeta.changesProblem]).toContain(pathOf('web'));
    renameSync(pathOf('gone'), pathOf('web'));
    await bench.turn('/write last.txt last');
    await bench.changeset(uri, hasFiles(5));
    expect((await session())._meta?.[ExtensionMeta.changesProblem]).toBeUndefined();
  });

  it('is refused with folders that contain each other, are named twice, or are outside the roots', async () => {
    mkdirSync(pathOf('api/inner'));
    const refused = (workingDirectories: string[]) =>
      bench.client.refused('createSession', {
        channel: sessionUri.format(crypto.randomUUID()),
        provider: 'demo',
        workingDirectories,
      });
    expect(await refused([folderOf('api'), folderOf('api/inner')])).toMatchObject({
      code: -32602,
      message: expect.stringContaining(`is inside ${pathOf('api')}`),
    });
    expect(await refused([folderOf('api/inner'), folderOf('api')])).toMatchObject({ code: -32602 });
    expect((await refused([folderOf('api'), folderOf('api')])).message).toContain('named twice');
    expect((await refused([folderOf('api'), pathToFileURL('/').href])).message).toContain('outside the folders');
    expect((await refused([folderOf('api'), folderOf('nothing')])).message).toContain('there is no folder');
  });
});

describe('the folders of a session', () => {
  it('can be added, replaced and removed; agents and changesets follow', async () => {
    await newSession(['api']);
    await bench.turn('/write a.txt other');
    const uri = bench.uri({ kind: 'uncommitted' });
    await bench.changeset(uri, hasFiles(1));
    bench.client.dispatch(bench.session, { type: 'session/workingDirectorySet', directory: folderOf('web') });
    await bench.client.action(bench.session, 'session/workingDirectorySet');
    await bench.turn(`/write ${pathOf('web/a.txt')} other`);
    expect(ids(await bench.changeset(uri, hasFiles(2)))).toEqual([file('api/a.txt'), file('web/a.txt')]);
    bench.client.dispatch(bench.session, {
      type: 'session/workingDirectoryReplaced',
      directory: folderOf('web'),
      replacement: folderOf('notes'),
    });
    await bench.client.action(bench.session, 'session/workingDirectoryReplaced');
    await bench.changeset(uri, hasFiles(1));
    await bench.turn(`/write ${pathOf('notes/plan.txt')} new`);
    expect(ids(await bench.changeset(uri, hasFiles(2)))).toEqual([file('api/a.txt'), file('notes/plan.txt')]);
    bench.client.dispatch(bench.session, { type: 'session/workingDirectoryRemoved', directory: folderOf('notes') });
    await bench.client.action(bench.session, 'session/workingDirectoryRemoved');
    await bench.changeset(uri, hasFiles(1));
    await bench.comeBack();
    expect((await session()).workingDirectories).toEqual([folderOf('api')]);
  });

  it('are refused with a reason', async () => {
    mkdirSync(pathOf('web/inner'));
    const add = (directory: string) => rejected({ type: 'session/workingDirectorySet', directory });
    expect(await add(folderOf('web/inner'))).toContain('is inside');
    expect(await add(bench.host.workspaceUri)).toContain('is inside');
    expect(await add(pathToFileURL('/').href)).toContain('outside the folders');
    expect(await add('ahp-file:/x')).toContain('file:');
    expect(await add(folderOf('web'))).toBeUndefined(); // it has it already
    const remove = (directory: string) => rejected({ type: 'session/workingDirectoryRemoved', directory });
    expect(await remove(folderOf('api'))).toContain('immutablePrimary');
    expect(await remove(folderOf('notes'))).toContain('not one of them');
    const [directory, replacement] = [folderOf('api'), folderOf('notes')];
    expect(await rejected({ type: 'session/workingDirectoryReplaced', directory, replacement })).toContain('first');
    const turn = bench.startTurn('/ask Ready?');
    const { request } = await bench.client.action(bench.chat, 'chat/inputRequested');
    expect(await add(folderOf('notes'))).toContain('a turn is at work');
    bench.client.dispatch(bench.chat, { type: 'chat/inputCompleted', requestId: request.id, response: 'cancel' });
    await bench.turnEnded(turn);
    expect((await session()).workingDirectories).toEqual([folderOf('api'), folderOf('web')]);
  });

  it('belong to a chat of its own as well, if it names some', async () => {
    const chat = bench.host.newChatUri();
    const workingDirectories = [folderOf('notes'), folderOf('web')];
    await bench.client.request('createChat', { channel: bench.session, chat, workingDirectories });
    expect((await bench.client.subscribe<ChatState>(chat)).workingDirectories).toEqual(workingDirectories);
    const set = { type: 'chat/workingDirectorySet', directory: folderOf('api') } as const;
    expect(await rejected(set, chat)).toBeUndefined();
    expect((await bench.client.subscribe<ChatState>(chat)).workingDirectories).toHaveLength(3);
    const entry = (await session()).chats.find(({ resource }) => resource === chat);
    expect(entry?.workingDirectories).toHaveLength(3);
    expect(await rejected(set, bench.chat)).toContain('without a folder of its own');
  });

  it('stay as they are beside a work tree, which only the first one gets', async () => {
    await bench.dispose();
    bench = await ChangesBench.start({
      worktrees: (folder) => gitWorktrees({ directory: join(folder, 'worktrees') }),
      prepare: (b) => {
        for (const name of ['api', 'web']) {
          b.write(`${name}/a.txt`, 'one\ntwo\nthree\n');
          commitAll(join(b.folder, name));
        }
      },
    });
    await newSession(['api', 'web'], { config: { isolation: 'worktree' } });
    await changeBoth();
    const [first = '', second] = (await session()).workingDirectories ?? [];
    expect([first === folderOf('api'), second]).toEqual([false, folderOf('web')]);
    expect([bench.read('api/a.txt'), bench.read('web/a.txt')]).toEqual(['one\ntwo\nthree\n', 'one\ntwo\nTHREE\n']);
    const uri = bench.uri({ kind: 'session' });
    await bench.changeset(uri, hasFiles(3));
    await bench.invoke(uri, 'take-along');
    expect(bench.read('api/a.txt')).toBe('one\nTWO\nthree\n');
    await bench.invoke(uri, 'revert');
    expect(bench.read('web/a.txt')).toBe('one\ntwo\nthree\n');
    await bench.changeset(uri, hasFiles(0));
  });

  it('are one for an agent that takes one', async () => {
    await bench.dispose();
    const one: AgentProvider = Object.create(demoAgent({ isolation: 'none' }), {
      takesSeveralFolders: { value: false },
    });
    bench = await ChangesBench.start({
      agents: [one],
      prepare: (b) => {
        for (const name of ['api', 'web']) b.write(`${name}/a.txt`, 'a\n');
      },
    });
    const { agents } = await bench.client.subscribe<RootState>(ROOT_URI);
    expect(agents[0]?.capabilities?.multipleWorkingDirectories).toBeUndefined();
    await newSession(['api', 'web']);
    expect((await session()).workingDirectories).toEqual([folderOf('api')]);
    const reason = await rejected({ type: 'session/workingDirectorySet', directory: folderOf('web') });
    expect(reason).toContain('works in one folder');
  });
});

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeClock } from '@moorage/host';
import {
  type ActionEnvelope,
  type ChangesetState,
  changesetUri,
  ROOT_URI,
  reduceAll,
  type SessionState,
  type StateAction,
} from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitOutput } from '../support/repository.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { workspacesIn } from '../support/workspaces.js';

let host: TestHost;
let client: WireClient;
let made: { session: string; chat: string };

function git(...args: string[]): string {
  return gitOutput(host.workspace, '-c', 'gc.auto=0', ...args);
}

function write(path: string, content: string | Buffer): void {
  mkdirSync(join(host.workspace, path, '..'), { recursive: true });
  writeFileSync(join(host.workspace, path), content);
}

async function start(): Promise<void> {
  await host.start();
  client = await host.client();
  made = await host.session(client);
  const state = await client.subscribe<SessionState>(made.session);
  if (!state.changesets) await client.action(made.session, 'session/changesetsChanged');
}

beforeEach(() => {
  host = new TestHost({
    workspaces: (folder) => workspacesIn(folder),
  });
  git('init', '-q', '-b', 'main');
});
afterEach(() => host.dispose());

/** What a subscriber holds: the snapshot, and every action since. */
async function follow(uri: string) {
  const { state, fromSeq } = await client.snapshot<ChangesetState>(uri);
  return () => {
    const since = client.envelopes.filter((e: ActionEnvelope) => e.channel === uri && e.serverSeq > fromSeq);
    const actions = since.map((e) => e.action as StateAction);
    return reduceAll('changeset', state, actions as never, { now: () => 0 }) as ChangesetState;
  };
}

async function turn(turnId: string, script: string): Promise<void> {
  client.dispatch(made.chat, {
    type: 'chat/turnStarted',
    startedAt: '2026-01-01T00:00:00.000Z',
    turnId,
    message: userMessage(`/auto on\n${script}`),
  });
  await client.envelope((e) => e.action.type === 'chat/turnComplete' && e.action.turnId === turnId);
}

function numstat(...range: string[]): Map<string, string> {
  const lines = git('diff', '--numstat', '--no-renames', ...range)
    .trim()
    .split('\n')
    .filter(Boolean);
  return new Map(
    lines.map((line) => {
      const [added, removed, path = ''] = line.split('\t');
      return [path, `${added} ${removed}`];
    }),
  );
}

const pathOf = (uri: string) =>
  decodeURIComponent(uri).slice(decodeURIComponent(uri).indexOf(host.workspace) + host.workspace.length + 1);

describe('the first look at a folder', () => {
  it('says how far it is when it takes long', async () => {
    await host.dispose();
    let looks = 0;
    const clock = { ...nodeClock, now: () => nodeClock.now() + 1_000 * looks++ }; // whatever is done takes its time
    host = new TestHost({
      clock,
      workspaces: (folder) => workspacesIn(folder, { clock }),
    });
    for (let file = 0; file < 300; file++) write(`file-${file}`, `${file}\n`);
    await host.start();
    client = await host.client({ subscriptions: [ROOT_URI] });
    made = await host.session(client);
    const isProgress = (text: string | null | undefined) => /^Reading the folder: \d+ of 300 files$/.test(text ?? '');
    await client.notification('root/sessionSummaryChanged', ({ changes }) => isProgress(changes.activity));
    let state = await client.subscribe<SessionState>(made.session);
    if (!state.changesets) await client.action(made.session, 'session/changesetsChanged');
    state = await client.subscribe<SessionState>(made.session);
    expect(state.activity).toBeUndefined();
  });
});

describe('a large change', () => {
  it('opens with its first files, has all counts in the end, and lets others through meanwhile', async () => {
    const files = 4_000;
    const text = (n: number, edit: string) =>
      Array.from({ length: 60 }, (_, line) => `${n} ${line} ${edit}\n`).join('');
    for (let n = 0; n < files; n++) write(`d${n % 50}/f${n}.txt`, text(n, ''));
    git('add', '.');
    git('commit', '-q', '-m', 'start');
    await start();
    for (let n = 0; n < files; n++) write(`d${n % 50}/f${n}.txt`, text(n, n % 2 ? 'new' : ''));
    const uri = changesetUri(made.session, { kind: 'uncommitted' });
    const state = await follow(uri);
    const isReady = () => (state().status === 'ready' ? true : undefined);
    let pings = 0;
    let isDone = false;
    const ready = client.until(isReady, 'the changeset').then(() => {
      isDone = true;
    });
    while (!isDone) {
      await client.sync();
      pings++;
    }
    await ready;
    const told = client.actionsOn(uri).map((action) => action.type);
    expect(told.filter((type) => type === 'changeset/contentChanged').length).toBeLessThanOrEqual(2);
    const ofFiles = told.filter((type) => type !== 'changeset/operationsChanged'); // what can be done comes when it is known
    expect(ofFiles.at(-1)).toBe('changeset/statusChanged');
    const largest = Math.max(
      ...client.actionsOn(uri).map((a) => (a.type === 'changeset/contentChanged' ? a.files.length : 0)),
    );
    expect(largest).toBeLessThanOrEqual(1_000);
    expect(pings).toBeGreaterThan(1);
    const found = new Map(
      state().files.map(({ id: file, edit }) => [pathOf(file), `${edit.diff?.added} ${edit.diff?.removed}`]),
    );
    expect(found).toEqual(numstat('HEAD'));
    expect(found.size).toBe(files / 2);
  }, 120_000);

  it('is never said to be ready while files are missing, and is updated by what changed', async () => {
    const files = 2_600;
    for (let n = 0; n < files; n++) write(`d${n % 20}/f${n}.txt`, `${n}\n`);
    git('commit', '-q', '--allow-empty', '-m', 'start');
    await start();
    const uri = changesetUri(made.session, { kind: 'uncommitted' });
    const { state: first, fromSeq } = await client.snapshot<ChangesetState>(uri);
    let [at, state] = [0, first];
    const ready = new Set<number>();
    /** The actions since the last call, once the list is complete and as long as expected. */
    const until = async (isThere: (state: ChangesetState) => boolean) => {
      const seen: StateAction['type'][] = [];
      await client.until(() => {
        for (; at < client.envelopes.length; at++) {
          const { channel, serverSeq, action } = client.envelopes[at] as ActionEnvelope;
          if (channel !== uri || serverSeq <= fromSeq) continue;
          state = reduceAll('changeset', state, [action] as never, { now: () => 0 }) as ChangesetState;
          seen.push(action.type);
          if (state.status === 'ready') ready.add(state.files.length);
        }
        return state.status === 'ready' && isThere(state) ? true : undefined;
      }, 'the changeset');
      return seen;
    };
    await until((now) => now.files.length === files);
    for (let n = 0; n < 300; n++) write(`d${n % 20}/f${n}.txt`, `${n}\nmore\n`);
    const edits = await until((now) => now.files.filter(({ edit }) => edit.diff?.added === 2).length === 300);
    expect(edits.filter((type) => type === 'changeset/fileSet')).toHaveLength(300);
    expect(edits).not.toContain('changeset/contentChanged');
    git('add', 'd0', 'd1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7', 'd8', 'd9');
    git('commit', '-q', '-m', 'half');
    const commit = await until((now) => now.files.length === files / 2);
    expect(commit).toContain('changeset/contentChanged');
    expect([...ready].sort((a, b) => a - b)).toEqual([files / 2, files]);
  }, 120_000);

  it('that is given up by its last subscriber stops being computed, and can be opened again', async () => {
    for (let n = 0; n < 600; n++) write(`f${n}`, `${n}\n`);
    await start();
    const uri = changesetUri(made.session, { kind: 'uncommitted' });
    for (let round = 0; round < 3; round++) {
      await client.subscribe(uri);
      client.peer.notify('unsubscribe', { channel: uri });
    }
    const state = await follow(uri);
    await client.until(() => (state().status === 'ready' ? true : undefined), 'the changeset');
    expect(state().files).toHaveLength(600);
  });
});

describe('a folder of many files', () => {
  beforeEach(async () => {
    for (let n = 0; n < 700; n++) write(`d${n % 20}/f${n}.txt`, `line ${n}\nsecond\n`);
    git('add', '.');
    git('commit', '-q', '-m', 'start');
    await start();
  });

  it('shows edits, folders made and moved at once, a commit and a branch switch as they are', async () => {
    const uri = changesetUri(made.session, { kind: 'uncommitted' });
    const state = await follow(uri);
    const shows = (...expected: string[]) =>
      client.until(
        () => {
          const names = state().files.map(
            ({ edit }) => `${edit.before ? pathOf(edit.before.uri) : ''}>${edit.after ? pathOf(edit.after.uri) : ''}`,
          );
          return state().status === 'ready' && JSON.stringify(names.sort()) === JSON.stringify(expected.sort())
            ? true
            : undefined;
        },
        `${expected}, not ${JSON.stringify(state())}`,
      );
    await shows();
    write('d1/f1.txt', 'edited\n');
    await shows('d1/f1.txt>d1/f1.txt');
    write('new/deep/er/file', 'x\n');
    await shows('d1/f1.txt>d1/f1.txt', '>new/deep/er/file');
    write('new/deep/er/second', 'y\n'); // in a folder that came with others at once
    await shows('d1/f1.txt>d1/f1.txt', '>new/deep/er/file', '>new/deep/er/second');
    renameSync(join(host.workspace, 'new'), join(host.workspace, 'moved'));
    await shows('d1/f1.txt>d1/f1.txt', '>moved/deep/er/file', '>moved/deep/er/second');
    git('add', '.');
    git('commit', '-q', '-m', 'more');
    await shows();
    git('checkout', '-q', '-b', 'other', 'HEAD~1');
    await shows();
    write('d2/f2.txt', 'on the other branch\n');
    await shows('d2/f2.txt>d2/f2.txt');
    git('stash', '-q');
    await shows();
  }, 60_000);

  it('records what each turn changed, in folders that it made as well', async () => {
    await turn('one', '/write d3/f3.txt changed\\n\n/write a/b/c/d deep\\n\n/delete d4/f4.txt');
    write('d5/f5.txt', 'by hand\n');
    await turn('two', '/append d3/f3.txt more\\n\n/append a/b/c/d deeper\\n');
    const files = async (turnId: string) => {
      const state = await follow(changesetUri(made.session, { kind: 'turn', turnId }));
      await client.until(() => (state().status === 'ready' ? true : undefined), 'the turn');
      return state().files.map(({ id: file, edit }) => `${pathOf(file)} ${edit.diff?.added} ${edit.diff?.removed}`);
    };
    expect(await files('one')).toEqual(['a/b/c/d 1 0', 'd3/f3.txt 1 2', 'd4/f4.txt 0 2']);
    expect(await files('two')).toEqual(['a/b/c/d 1 0', 'd3/f3.txt 1 0']);
  });

  it('says that the folder is gone, and goes on when it is back', async () => {
    const uri = changesetUri(made.session, { kind: 'uncommitted' });
    const state = await follow(uri);
    await client.until(() => (state().status === 'ready' ? true : undefined), 'the changeset');
    renameSync(host.workspace, `${host.workspace}-away`);
    await client.until(() => (state().status === 'error' ? true : undefined), 'the error');
    expect(state().error?.message).toContain('there is no folder');
    renameSync(`${host.workspace}-away`, host.workspace);
    await client.until(() => (state().status === 'ready' ? true : undefined), 'the folder back');
    write('d1/f1.txt', 'edited\n');
    await client.until(() => (state().files.length === 1 ? true : undefined), 'the edit');
  }, 60_000);
});

describe('contents that are not kept', () => {
  it('are listed with their size and say why, and their changes are noticed', async () => {
    write('small', 'x\n');
    await start();
    write('huge.bin', '');
    truncateSync(join(host.workspace, 'huge.bin'), 60 * 1024 * 1024); // takes no space on disk
    write('long.txt', 'a line of text\n'.repeat(1_200_000));
    await turn('one', '/say made');
    const uri = changesetUri(made.session, { kind: 'uncommitted' });
    const state = await follow(uri);
    await client.until(() => (state().files.length === 3 ? true : undefined), 'three files');
    const file = (name: string) => state().files.find((it) => pathOf(it.id) === name);
    const huge = file('huge.bin');
    expect(huge?._meta).toEqual({ 'moorage.tooLarge': true });
    expect(huge?.edit.after?.content.sizeHint).toBe(60 * 1024 * 1024);
    expect(huge?.edit.diff).toBeUndefined();
    expect(file('long.txt')?._meta).toEqual({ 'moorage.tooLarge': true });
    expect(file('long.txt')?.edit.diff).toBeUndefined();
    const refused = await client.refused('resourceRead', {
      channel: 'ahp-root://',
      uri: huge?.edit.after?.content.uri,
    });
    expect(refused).toMatchObject({ code: -32008, message: expect.stringContaining('too large') });
    truncateSync(join(host.workspace, 'huge.bin'), 70 * 1024 * 1024);
    const isLarger = () => file('huge.bin')?.edit.after?.content.sizeHint === 70 * 1024 * 1024 || undefined;
    await client.until(isLarger, 'the new size');
    const stored = readdirSync(join(host.folder, 'workspaces'), { recursive: true, withFileTypes: true });
    const bytes = stored
      .filter((it) => it.isFile())
      .reduce((sum, it) => sum + readFileSync(join(it.parentPath, it.name)).length, 0);
    expect(bytes).toBeLessThan(10 * 1024 * 1024);
  });

  it('are said to be lost when the repository that had them is removed in the middle of a turn', async () => {
    write('a', 'only the repository has this\n');
    write('b', 'one\n');
    git('add', '.');
    git('commit', '-q', '-m', 'start');
    await start();
    const message = userMessage('/auto on\n/ask go on? | yes\n/write a two');
    client.dispatch(made.chat, {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 'one',
      message,
    });
    const { request } = await client.action(made.chat, 'chat/inputRequested');
    rmSync(join(host.workspace, '.git'), { recursive: true });
    client.dispatch(made.chat, { type: 'chat/inputCompleted', requestId: request.id, response: 'cancel' });
    await client.action(made.chat, 'chat/turnComplete');
    const state = await follow(changesetUri(made.session, { kind: 'turn', turnId: 'one' }));
    await client.until(() => (state().status === 'ready' ? true : undefined), 'the turn');
    expect(state().files.map(({ id: file, _meta }) => [pathOf(file), _meta])).toEqual([
      ['a', { 'moorage.contentLost': true }],
    ]);
  });
});

describe('the base branch', () => {
  beforeEach(async () => {
    write('a', 'one\n');
    git('add', '.');
    git('commit', '-q', '-m', 'start');
    git('branch', 'release');
    write('b', 'two\n');
    git('add', '.');
    git('commit', '-q', '-m', 'more');
    git('checkout', '-q', '-b', 'topic');
    await start();
  });

  it('is the default one, and can be changed while it is watched', async () => {
    const uri = changesetUri(made.session, { kind: 'branch' });
    const state = await follow(uri);
    await client.until(() => (state().status === 'ready' ? true : undefined), 'the branch');
    expect(state().files).toEqual([]);
    const { changesets } = await client.subscribe<SessionState>(made.session);
    expect(changesets?.find((it) => it.changeKind === 'branch')?.label).toContain('main');
    await client.act(made.session, { type: 'session/configChanged', config: { baseBranch: 'release' } });
    await client.until(() => (state().files.length === 1 ? true : undefined), 'what is new since release');
    expect(pathOf(state().files[0]?.id ?? '')).toBe('b');
    const labels = () =>
      client
        .actionsOn(made.session)
        .flatMap((a) => (a.type === 'session/changesetsChanged' ? (a.changesets ?? []) : []));
    await client.until(() => labels().find((it) => it.label.includes('release')), 'the label');
  });

  it('is given at creation, an odd name is no branch, and a wrong value is refused', async () => {
    const other = await host.session(client, { config: { baseBranch: 'release', unknown: 1 } });
    const uri = changesetUri(other.session, { kind: 'branch' });
    const state = await follow(uri);
    await client.until(() => (state().files.length === 1 ? true : undefined), 'what is new since release');
    for (const baseBranch of ['--help', 'no such', 'main~1', '@{-1}']) {
      await client.act(other.session, { type: 'session/configChanged', config: { baseBranch } });
      await client.until(
        () => (state().status === 'ready' && state().files.length === 0 ? true : undefined),
        baseBranch,
      );
      await client.act(other.session, { type: 'session/configChanged', config: { baseBranch: 'release' } });
      await client.until(() => (state().files.length === 1 ? true : undefined), 'release again');
    }
    const wrong = {
      channel: host.newSessionUri(),
      provider: 'demo',
      workingDirectories: [host.workspaceUri],
      config: { baseBranch: 7 },
    };
    expect(await client.refused('createSession', wrong)).toMatchObject({ code: -32602 });
  });
});

it('a file that somebody else changed between two turns says so, with the lines of the turns alone', async () => {
  write('a', 'one\n');
  await start();
  await turn('one', '/append a two\\n');
  writeFileSync(join(host.workspace, 'a'), 'one\ntwo\nby hand\nby hand\n');
  await turn('two', '/append a three\\n');
  const state = await follow(changesetUri(made.session, { kind: 'session' }));
  await client.until(() => (state().status === 'ready' ? true : undefined), 'the session');
  const [file] = state().files;
  expect(file?._meta).toEqual({ 'moorage.changedBetween': true });
  expect(file?.edit.diff).toEqual({ added: 2, removed: 0 });
});

it('a turn cannot have the id of a turn in another chat of the session (OQ-80)', async () => {
  await start();
  await turn('one', '/say hello');
  const second = host.newChatUri();
  await client.request('createChat', { channel: made.session, chat: second });
  const again = {
    type: 'chat/turnStarted',
    startedAt: '2026-01-01T00:00:00.000Z',
    turnId: 'one',
    message: userMessage('/say again'),
  };
  expect((await client.act(second, again)).rejectionReason).toContain('already');
});

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '@moorage/host';
import {
  type ChangesetFile,
  type ChangesetState,
  changesetUri,
  expandUriTemplate,
  fileUri,
  PROTOCOL_VERSION,
  ROOT_URI,
  type SessionState,
} from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitAll } from '../support/repository.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { workspacesIn } from '../support/workspaces.js';

let host: TestHost;
afterEach(() => host.dispose());

async function start(prepare: (folder: string) => void): Promise<WireClient> {
  host = new TestHost({ workspaces: workspacesIn });
  prepare(host.workspace);
  await host.start();
  return host.client();
}

function repository(folder: string): void {
  writeFileSync(join(folder, 'kept.txt'), 'one\ntwo\nthree\n');
  writeFileSync(join(folder, 'gone.txt'), 'bye\n');
  writeFileSync(join(folder, '.gitignore'), 'ignored/\n');
  commitAll(folder);
}

/** A session whose catalogue is published, with its chat. */
async function session(client: WireClient) {
  const made = await host.session(client);
  const state = await client.subscribe<SessionState>(made.session);
  if (!state.changesets) await client.action(made.session, 'session/changesetsChanged');
  return made;
}

let turns = 0;
async function turn(client: WireClient, chat: string, script: string): Promise<string> {
  const turnId = `turn-${++turns}`;
  client.dispatch(chat, {
    type: 'chat/turnStarted',
    startedAt: '2026-01-01T00:00:00.000Z',
    turnId,
    message: userMessage(`/auto on\n${script}`),
  });
  await client.envelope(
    (e) => e.channel === chat && e.action.type === 'chat/turnComplete' && e.action.turnId === turnId,
  );
  return turnId;
}

/** A changeset once it is computed. */
async function changeset(client: WireClient, uri: string): Promise<ChangesetState> {
  let state = await client.subscribe<ChangesetState>(uri);
  if (state.status === 'computing') {
    const start = client.envelopes.length;
    await client.envelope(
      (e) => e.channel === uri && e.action.type === 'changeset/statusChanged' && e.action.status !== 'computing',
    );
    expect(client.envelopes.length).toBeGreaterThanOrEqual(start);
    state = await client.subscribe<ChangesetState>(uri);
  }
  return state;
}

function summary(files: readonly ChangesetFile[]): Record<string, unknown> {
  const name = (uri: string | undefined) => uri && decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1));
  return Object.fromEntries(
    files.map(({ id, edit }) => [
      name(id),
      [
        edit.before ? name(edit.before.uri) : null,
        edit.after ? name(edit.after.uri) : null,
        edit.diff?.added,
        edit.diff?.removed,
      ],
    ]),
  );
}

async function text(client: WireClient, uri: string | undefined): Promise<string> {
  return (await client.request('resourceRead', { channel: 'ahp-root://', uri: uri ?? '' })).data;
}

describe('in a git repository', () => {
  let client: WireClient;
  beforeEach(async () => {
    client = await start(repository);
  });

  it('publishes a catalogue of changesets with the branch it compares with (B-252)', async () => {
    const made = await session(client);
    const { changesets } = await client.subscribe<SessionState>(made.session);
    expect(changesets?.map((entry) => entry.changeKind)).toEqual([
      'session',
      'uncommitted',
      'branch',
      'turn',
      'compare-turns',
    ]);
    expect(changesets?.[2]?.label).toContain('main');
  });

  it('shows what a turn created, edited, deleted and renamed, with counts and contents (B-255, B-258)', async () => {
    const made = await session(client);
    const script = '/write new.txt a\\nb\\n\n/replace kept.txt two => TWO\n/delete gone.txt\n/write sub/x.txt deep\\n';
    const turnId = await turn(client, made.chat, script);
    const { files, status } = await changeset(client, changesetUri(made.session, { kind: 'turn', turnId }));
    expect(status).toBe('ready');
    expect(summary(files)).toEqual({
      'new.txt': [null, 'new.txt', 2, 0],
      'kept.txt': ['kept.txt', 'kept.txt', 1, 1],
      'gone.txt': ['gone.txt', null, 0, 1],
      'x.txt': [null, 'x.txt', 1, 0],
    });
    const kept = files.find((file) => file.id.endsWith('kept.txt'));
    expect(await text(client, kept?.edit.before?.content.uri)).toBe('one\ntwo\nthree\n');
    expect(await text(client, kept?.edit.after?.content.uri)).toBe('one\nTWO\nthree\n');
    expect(kept?.edit.after?.content.sizeHint).toBe(14);
    const moved = await turn(client, made.chat, '/rename kept.txt moved.txt');
    const renamed = await changeset(client, changesetUri(made.session, { kind: 'turn', turnId: moved }));
    expect(summary(renamed.files)).toEqual({ 'moved.txt': ['kept.txt', 'moved.txt', 0, 0] });
  });

  it('names a file as the edits of agents do, and as any client would', async () => {
    const made = await session(client);
    const turnId = await turn(client, made.chat, '/write @types/+page,1~a.svelte 1\\n');
    const { files } = await changeset(client, changesetUri(made.session, { kind: 'turn', turnId }));
    const { result } = await client.action(made.chat, 'chat/toolCallComplete');
    const edit = result.content?.find((part) => part.type === 'fileEdit');
    const uri = fileUri(join(host.workspace, '@types/+page,1~a.svelte'));
    expect([edit?.after?.uri, ...files.map((file) => file.id)]).toEqual([uri, uri]);
    expect(files[0]?.edit.after?.uri).toBe(uri);
  });

  it('adds up turns for the session, also in the summary, and compares any two (B-119)', async () => {
    const made = await session(client);
    const first = await turn(client, made.chat, '/write a.txt 1\\n');
    const second = await turn(client, made.chat, '/append a.txt 2\\n');
    const third = await turn(client, made.chat, '/write b.txt b\\n\n/delete a.txt');
    const all = await changeset(client, changesetUri(made.session, { kind: 'session' }));
    expect(summary(all.files)).toEqual({ 'b.txt': [null, 'b.txt', 1, 0] });
    const { items } = await client.request('listSessions', { channel: 'ahp-root://' });
    expect(items[0]?.changes).toEqual({ additions: 1, deletions: 0, files: 1 });
    const compare = (originalTurnId: string, modifiedTurnId: string) =>
      changeset(client, changesetUri(made.session, { kind: 'compare-turns', originalTurnId, modifiedTurnId }));
    expect(summary((await compare(first, second)).files)).toEqual({ 'a.txt': ['a.txt', 'a.txt', 1, 0] });
    expect(summary((await compare(second, first)).files)).toEqual({ 'a.txt': ['a.txt', 'a.txt', 0, 1] });
    expect(summary((await compare(second, third)).files)).toEqual({
      'b.txt': [null, 'b.txt', 1, 0],
      'a.txt': ['a.txt', null, 0, 2],
    });
  });

  it('keeps uncommitted changes live while anybody edits, file by file, and leaves ignored ones out', async () => {
    const made = await session(client);
    const uri = changesetUri(made.session, { kind: 'uncommitted' });
    expect((await changeset(client, uri)).files).toEqual([]);
    writeFileSync(join(host.workspace, 'by hand.txt'), 'hello\n');
    mkdirSync(join(host.workspace, 'ignored'));
    writeFileSync(join(host.workspace, 'ignored', 'x'), 'x');
    const { file } = await client.action(uri, 'changeset/fileSet');
    expect(summary([file])).toEqual({ 'by hand.txt': [null, 'by hand.txt', 1, 0] });
    rmSync(join(host.workspace, 'by hand.txt'));
    expect((await client.action(uri, 'changeset/fileRemoved')).fileId).toBe(file.id);
    writeFileSync(join(host.workspace, 'kept.txt'), 'one\n');
    const branch = await changeset(client, changesetUri(made.session, { kind: 'branch' }));
    expect(summary(branch.files)).toEqual({ 'kept.txt': ['kept.txt', 'kept.txt', 0, 2] });
  });

  it('shows modes, links and binaries as what they are', async () => {
    const made = await session(client);
    writeFileSync(join(host.workspace, 'tool.sh'), '#!/bin/sh\n');
    chmodSync(join(host.workspace, 'tool.sh'), 0o755);
    symlinkSync('kept.txt', join(host.workspace, 'link'));
    writeFileSync(join(host.workspace, 'data.bin'), Buffer.from([0, 1, 2, 255]));
    chmodSync(join(host.workspace, 'kept.txt'), 0o755);
    const { files } = await changeset(client, changesetUri(made.session, { kind: 'uncommitted' }));
    const notes = Object.fromEntries(files.map((file) => [file.id.slice(file.id.lastIndexOf('/') + 1), file._meta]));
    expect(notes).toEqual({
      'tool.sh': { 'moorage.executable': true },
      link: { 'moorage.symlink': true },
      'data.bin': { 'moorage.binary': true },
      'kept.txt': { 'moorage.executable': true, 'moorage.mode': { before: '100644', after: '100755' } },
    });
    const binary = files.find((file) => file.id.endsWith('data.bin'));
    const uri = binary?.edit.after?.content.uri ?? '';
    expect(await client.request('resourceRead', { channel: 'ahp-root://', uri })).toEqual({
      data: 'AAEC/w==',
      encoding: 'base64',
    });
  });

  it("never touches the user's repository, and does not need it later", async () => {
    const made = await session(client);
    const before = execFileSync('bash', ['-c', 'find .git -type f -print0 | sort -z | xargs -0 sha256sum'], {
      cwd: host.workspace,
    });
    const turnId = await turn(client, made.chat, '/replace kept.txt two => 2\n/delete gone.txt');
    await changeset(client, changesetUri(made.session, { kind: 'uncommitted' }));
    const after = execFileSync('bash', ['-c', 'find .git -type f -print0 | sort -z | xargs -0 sha256sum'], {
      cwd: host.workspace,
    });
    expect(after.toString()).toBe(before.toString());
    rmSync(join(host.workspace, '.git'), { recursive: true });
    await client.close();
    await host.restart();
    const later = await host.client();
    const { files } = await changeset(later, changesetUri(made.session, { kind: 'turn', turnId }));
    expect(summary(files)).toEqual({
      'kept.txt': ['kept.txt', 'kept.txt', 1, 1],
      'gone.txt': ['gone.txt', null, 0, 1],
    });
    const gone = files.find((file) => file.id.endsWith('gone.txt'));
    expect(await text(later, gone?.edit.before?.content.uri)).toBe('bye\n');
  });

  it('ends with its session: cleared, disposed, unsubscribed (D-2)', async () => {
    const made = await session(client);
    const turnId = await turn(client, made.chat, '/write a.txt 1\\n');
    const uri = changesetUri(made.session, { kind: 'turn', turnId });
    await changeset(client, uri);
    await client.request('disposeSession', { channel: made.session });
    await client.action(uri, 'changeset/disposed');
    expect(
      client
        .actionsOn(uri)
        .slice(-2)
        .map((action) => action.type),
    ).toEqual(['changeset/cleared', 'changeset/disposed']);
    expect((await client.refused('subscribe', { channel: uri })).code).toBe(-32008);
  });

  it.each([
    ['an unknown turn', { kind: 'turn' as const, turnId: 'nope' }],
    ['two unknown turns', { kind: 'compare-turns' as const, originalTurnId: 'a', modifiedTurnId: 'b' }],
  ])('%s is not found', async (_what, selector) => {
    const made = await session(client);
    expect((await client.refused('subscribe', { channel: changesetUri(made.session, selector) })).code).toBe(-32008);
  });

  it('is missing once its folder is gone, and keeps nobody from the rest', async () => {
    const made = await session(client);
    const [branch, uncommitted] = [
      changesetUri(made.session, { kind: 'branch' }),
      changesetUri(made.session, { kind: 'uncommitted' }),
    ];
    const followed = [ROOT_URI, made.session, branch, uncommitted];
    for (const uri of followed) await client.subscribe(uri);
    await client.close();
    const away = `${host.workspace}-away`;
    renameSync(host.workspace, away);
    try {
      const { client: back, result } = await host.reconnect(client, followed);
      expect(result).toMatchObject({ type: 'replay', missing: [branch, uncommitted] });
      await back.act(made.session, { type: 'session/titleChanged', title: 'Live' });
      const anew = await host.rawClient();
      const hello = { clientId: anew.clientId, protocolVersions: [PROTOCOL_VERSION], initialSubscriptions: followed };
      const { snapshots } = await anew.request('initialize', { channel: ROOT_URI, ...hello });
      expect(snapshots.map(({ resource }) => resource)).toEqual([ROOT_URI, made.session]);
      expect((await anew.refused('subscribe', { channel: uncommitted })).code).toBe(-32008);
    } finally {
      renameSync(away, host.workspace);
    }
    expect((await changeset(await host.client(), uncommitted)).status).toBe('ready');
  });

  it('can be expanded from its template by any client (B-253)', async () => {
    const made = await session(client);
    const turnId = await turn(client, made.chat, '/write a.txt 1\\n');
    const { changesets = [] } = await client.subscribe<SessionState>(made.session);
    const template = changesets.find((entry) => entry.changeKind === 'turn')?.uriTemplate ?? '';
    expect((await changeset(client, expandUriTemplate(template, { turnId }))).files).toHaveLength(1);
  });
});

it('a session with a URI of another scheme has changesets of its own', async () => {
  const client = await start(repository);
  const [native, foreign] = ['ahp-session:/abc', 'copilot:/abc'];
  const written: Record<string, string[]> = {};
  for (const [name, channel] of Object.entries({ native, foreign })) {
    const made = await host.session(client, {}, channel);
    await turn(client, made.chat, `/write ${name}.txt 1\\n`);
    const { changesets = [] } = await client.subscribe<SessionState>(channel);
    const template = changesets.find((entry) => entry.changeKind === 'session')?.uriTemplate ?? '';
    const { files } = await changeset(client, template);
    written[channel] = Object.keys(summary(files));
  }
  expect(written).toEqual({ [native]: ['native.txt'], [foreign]: ['foreign.txt'] });
});

describe('turns that a chat does not have any more, or that no agent worked on', () => {
  let client: WireClient;
  let made: { session: string; chat: string };
  beforeEach(async () => {
    client = await start(repository);
    made = await session(client);
  });

  const ofTurn = (turnId: string) => changesetUri(made.session, { kind: 'turn', turnId });
  const ofSession = () => changeset(client, changesetUri(made.session, { kind: 'session' }));
  const comparing = (originalTurnId: string, modifiedTurnId: string) =>
    changesetUri(made.session, { kind: 'compare-turns', originalTurnId, modifiedTurnId });
  const isNotFound = async (channel: string) =>
    expect((await client.refused('subscribe', { channel })).code).toBe(-32008);
  async function truncate(turnId?: string): Promise<void> {
    client.dispatch(made.chat, { type: 'chat/truncated', ...(turnId !== undefined && { turnId }) });
    await client.action(made.chat, 'chat/truncated');
  }
  async function turnNamed(turnId: string, script: string): Promise<void> {
    const already = client.actionsOn(made.chat).length;
    client.dispatch(made.chat, {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId,
      message: userMessage(`/auto on\n${script}`),
    });
    await expect
      .poll(() => client.actionsOn(made.chat).slice(already), { timeout: 20_000 })
      .toContainEqual({ type: 'chat/turnComplete', turnId, duration: expect.any(Number) });
  }

  it('are gone when they are truncated, and still count in the session (OQ-57)', async () => {
    const first = await turn(client, made.chat, '/write a.txt 1\\n');
    const second = await turn(client, made.chat, '/write b.txt 2\\n');
    await changeset(client, ofTurn(second));
    await changeset(client, comparing(first, second));
    await truncate(first);
    for (const uri of [ofTurn(second), comparing(first, second)]) {
      await client.action(uri, 'changeset/disposed');
      await isNotFound(uri);
    }
    expect((await changeset(client, ofTurn(first))).files).toHaveLength(1);
    expect(Object.keys(summary((await ofSession()).files))).toEqual(['a.txt', 'b.txt']);
    await client.request('disposeChat', { channel: made.chat });
    await isNotFound(ofTurn(first));
  });

  it('leave their id to another turn, whose changes are its own (B-221)', async () => {
    await turnNamed('same', '/write a.txt 1\\n');
    await changeset(client, ofTurn('same'));
    await client.request('invokeChangesetOperation', { channel: ofTurn('same'), operationId: 'revert' });
    await truncate();
    await turnNamed('same', '/write a.txt 1\\n\n/write b.txt 2\\n');
    const again = await changeset(client, ofTurn('same'));
    expect(summary(again.files)).toEqual({ 'a.txt': [null, 'a.txt', 1, 0], 'b.txt': [null, 'b.txt', 1, 0] });
    expect(summary((await ofSession()).files)).toEqual(summary(again.files));
    const { items } = await client.request('listSessions', { channel: 'ahp-root://' });
    expect(items[0]?.changes).toMatchObject({ files: 2 });
    const undo = { channel: ofTurn('same'), operationId: 'undo' };
    expect((await client.refused('invokeChangesetOperation', undo)).code).toBe(-32600);
    await client.request('invokeChangesetOperation', { channel: ofTurn('same'), operationId: 'revert' });
    expect(existsSync(join(host.workspace, 'b.txt'))).toBe(false);
    expect((await changeset(client, ofTurn('same'))).files).toEqual([]);
  });

  it('are empty when they came with a fork (B-255)', async () => {
    const before = await turn(client, made.chat, '/write a.txt 1\\n');
    const fork = await host.session(client, { _meta: { 'moorage.fork': { session: made.session, turnId: before } } });
    const copied = await changeset(client, changesetUri(fork.session, { kind: 'turn', turnId: before }));
    expect(copied).toMatchObject({ status: 'ready', files: [] });
    const own = await turn(client, fork.chat, '/write b.txt 2\\n');
    const between = await changeset(
      client,
      changesetUri(fork.session, { kind: 'compare-turns', originalTurnId: before, modifiedTurnId: own }),
    );
    expect(Object.keys(summary(between.files))).toEqual(['b.txt']);
  });

  it('are none when it was an operation', async () => {
    const turnId = await turn(client, made.chat, '/write a.txt 1\\n');
    await client.request('invokeChangesetOperation', { channel: ofTurn(turnId), operationId: 'revert' });
    await host.stop();
    const store = openSqliteStore({ file: join(host.folder, 'store.sqlite') });
    const record = JSON.parse(store.documents.read('changes', made.session) ?? '') as { turns: string[] };
    store.close();
    const operation = record.turns.find((id) => id !== turnId) ?? '';
    expect(operation).not.toBe('');
    await host.start();
    client = await host.client();
    await isNotFound(ofTurn(operation));
    await isNotFound(comparing(turnId, operation));
  });
});

describe('in a folder without git', () => {
  it('remembers turns and what changed since the session started', async () => {
    const client = await start((folder) => {
      writeFileSync(join(folder, 'notes.txt'), 'one\n');
      mkdirSync(join(folder, 'node_modules'));
      writeFileSync(join(folder, 'node_modules', 'x.js'), 'x');
    });
    const made = await session(client);
    const { changesets } = await client.subscribe<SessionState>(made.session);
    expect(changesets?.map((entry) => entry.changeKind)).toEqual(['session', 'uncommitted', 'turn', 'compare-turns']);
    const turnId = await turn(client, made.chat, '/append notes.txt two\\n');
    for (const selector of [
      { kind: 'turn' as const, turnId },
      { kind: 'uncommitted' as const },
      { kind: 'session' as const },
    ]) {
      const { files } = await changeset(client, changesetUri(made.session, selector));
      expect(summary(files)).toEqual({ 'notes.txt': ['notes.txt', 'notes.txt', 1, 0] });
    }
    expect(readFileSync(join(host.workspace, 'notes.txt'), 'utf8')).toBe('one\ntwo\n');
  });
});

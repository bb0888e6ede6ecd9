import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ChangesetFile,
  type ChangesetState,
  changesetUri,
  expandUriTemplate,
  type SessionState,
  sessionUri,
} from '@ahpd/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitAll } from './support/repository.js';
import { TestHost, userMessage } from './support/test-host.js';
import type { WireClient } from './support/wire-client.js';
import { workspacesIn } from './support/workspaces.js';

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
  return { ...made, id: sessionUri.parse(made.session) ?? '' };
}

let turns = 0;
async function turn(client: WireClient, chat: string, script: string): Promise<string> {
  const turnId = `turn-${++turns}`;
  client.dispatch(chat, { type: 'chat/turnStarted', turnId, message: userMessage(`/auto on\n${script}`) });
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
    const { files, status } = await changeset(client, changesetUri(made.id, { kind: 'turn', turnId }));
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
    const renamed = await changeset(client, changesetUri(made.id, { kind: 'turn', turnId: moved }));
    expect(summary(renamed.files)).toEqual({ 'moved.txt': ['kept.txt', 'moved.txt', 0, 0] });
  });

  it('adds up turns for the session, also in the summary, and compares any two (B-119)', async () => {
    const made = await session(client);
    const first = await turn(client, made.chat, '/write a.txt 1\\n');
    const second = await turn(client, made.chat, '/append a.txt 2\\n');
    const third = await turn(client, made.chat, '/write b.txt b\\n\n/delete a.txt');
    const all = await changeset(client, changesetUri(made.id, { kind: 'session' }));
    expect(summary(all.files)).toEqual({ 'b.txt': [null, 'b.txt', 1, 0] });
    const { items } = await client.request('listSessions', { channel: 'ahp-root://' });
    expect(items[0]?.changes).toEqual({ additions: 1, deletions: 0, files: 1 });
    const compare = (originalTurnId: string, modifiedTurnId: string) =>
      changeset(client, changesetUri(made.id, { kind: 'compare-turns', originalTurnId, modifiedTurnId }));
    expect(summary((await compare(first, second)).files)).toEqual({ 'a.txt': ['a.txt', 'a.txt', 1, 0] });
    expect(summary((await compare(second, first)).files)).toEqual({ 'a.txt': ['a.txt', 'a.txt', 0, 1] });
    expect(summary((await compare(second, third)).files)).toEqual({
      'b.txt': [null, 'b.txt', 1, 0],
      'a.txt': ['a.txt', null, 0, 2],
    });
  });

  it('keeps uncommitted changes live while anybody edits, file by file, and leaves ignored ones out', async () => {
    const made = await session(client);
    const uri = changesetUri(made.id, { kind: 'uncommitted' });
    expect((await changeset(client, uri)).files).toEqual([]);
    writeFileSync(join(host.workspace, 'by hand.txt'), 'hello\n');
    mkdirSync(join(host.workspace, 'ignored'));
    writeFileSync(join(host.workspace, 'ignored', 'x'), 'x');
    const { file } = await client.action(uri, 'changeset/fileSet');
    expect(summary([file])).toEqual({ 'by hand.txt': [null, 'by hand.txt', 1, 0] });
    rmSync(join(host.workspace, 'by hand.txt'));
    expect((await client.action(uri, 'changeset/fileRemoved')).fileId).toBe(file.id);
    writeFileSync(join(host.workspace, 'kept.txt'), 'one\n');
    const branch = await changeset(client, changesetUri(made.id, { kind: 'branch' }));
    expect(summary(branch.files)).toEqual({ 'kept.txt': ['kept.txt', 'kept.txt', 0, 2] });
  });

  it('shows modes, links and binaries as what they are', async () => {
    const made = await session(client);
    writeFileSync(join(host.workspace, 'tool.sh'), '#!/bin/sh\n');
    chmodSync(join(host.workspace, 'tool.sh'), 0o755);
    symlinkSync('kept.txt', join(host.workspace, 'link'));
    writeFileSync(join(host.workspace, 'data.bin'), Buffer.from([0, 1, 2, 255]));
    chmodSync(join(host.workspace, 'kept.txt'), 0o755);
    const { files } = await changeset(client, changesetUri(made.id, { kind: 'uncommitted' }));
    const notes = Object.fromEntries(files.map((file) => [file.id.slice(file.id.lastIndexOf('/') + 1), file._meta]));
    expect(notes).toEqual({
      'tool.sh': { executable: true },
      link: { symlink: true },
      'data.bin': { binary: true },
      'kept.txt': { executable: true, mode: { before: '100644', after: '100755' } },
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
    await changeset(client, changesetUri(made.id, { kind: 'uncommitted' }));
    const after = execFileSync('bash', ['-c', 'find .git -type f -print0 | sort -z | xargs -0 sha256sum'], {
      cwd: host.workspace,
    });
    expect(after.toString()).toBe(before.toString());
    rmSync(join(host.workspace, '.git'), { recursive: true });
    await client.close();
    await host.restart();
    const later = await host.client();
    const { files } = await changeset(later, changesetUri(made.id, { kind: 'turn', turnId }));
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
    const uri = changesetUri(made.id, { kind: 'turn', turnId });
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
    expect((await client.refused('subscribe', { channel: changesetUri(made.id, selector) })).code).toBe(-32008);
  });

  it('can be expanded from its template by any client (B-253)', async () => {
    const made = await session(client);
    const turnId = await turn(client, made.chat, '/write a.txt 1\\n');
    const { changesets = [] } = await client.subscribe<SessionState>(made.session);
    const template = changesets.find((entry) => entry.changeKind === 'turn')?.uriTemplate ?? '';
    expect((await changeset(client, expandUriTemplate(template, { turnId }))).files).toHaveLength(1);
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
      const { files } = await changeset(client, changesetUri(made.id, selector));
      expect(summary(files)).toEqual({ 'notes.txt': ['notes.txt', 'notes.txt', 1, 0] });
    }
    expect(readFileSync(join(host.workspace, 'notes.txt'), 'utf8')).toBe('one\ntwo\n');
  });
});

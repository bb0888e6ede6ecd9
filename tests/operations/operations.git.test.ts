import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nodeClock, type Workspace } from '@moorage/host';
import type { ChangesetState } from '@moorage/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChangesBench } from '../support/changes-bench.js';
import { instead } from '../support/held-look.js';
import type { WireClient } from '../support/wire-client.js';
import { workspacesIn } from '../support/workspaces.js';

describe('what can be asked for', () => {
  let bench: ChangesBench;
  let turnId: string;
  beforeAll(async () => {
    bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': 'one\n', bin: Buffer.from([0, 1]) }) });
    turnId = await bench.turn('/append a.txt two\\n');
    bench.write('bin', Buffer.from([0, 2]));
  });
  afterAll(() => bench.dispose());

  it.each<[string, string[]]>([
    ['uncommitted', ['revert', 'undo', 'stage', 'unstage', 'commit', 'open-diff', 'keep']],
    ['turn', ['revert', 'restore', 'undo', 'open-diff', 'keep']],
    ['session', ['revert', 'undo', 'open-diff', 'keep', 'take-along']],
    ['compare-turns', ['revert', 'undo', 'open-diff', 'keep']],
    [
      'branch',
      ['revert', 'undo', 'open-diff', 'keep', 'take-along', 'create-branch', 'merge-back', 'push', 'create-pr'],
    ],
  ])('%s offers its operations, with groups and icons', async (kind, ids) => {
    const uri =
      kind === 'turn'
        ? bench.turnUri(turnId)
        : kind === 'compare-turns'
          ? bench.uri({ kind, originalTurnId: turnId, modifiedTurnId: turnId })
          : bench.uri({ kind: kind as 'session' });
    const { operations = [] } = await bench.changeset(uri);
    expect(operations.map(({ id }) => id)).toEqual(ids);
    for (const { id, icon, group, description, confirmation } of operations) {
      expect([id, icon, group, description].every(Boolean)).toBe(true);
      expect(confirmation !== undefined, id).toBe(['revert', 'restore', 'commit'].includes(id));
    }
    const { description, status } = operations.find(({ id }) => id === 'undo') ?? {};
    expect([description, status]).toEqual(['There is nothing to undo.', 'disabled']);
  });

  it.each<[string, object, number, string]>([
    ['an unknown operation', { operationId: 'explode' }, -32602, 'no operation "explode"'],
    ['an operation of another kind of changeset', { operationId: 'restore' }, -32602, 'no operation "restore"'],
    ['a missing target', { operationId: 'revert', target: null }, -32602, 'params/target'],
    ['a target that is not wanted', { operationId: 'undo', target: 'file' }, -32602, '"changeset"'],
    [
      'a scope that it does not have',
      { operationId: 'open-diff', target: 'range' },
      -32602,
      '"changeset" or "resource"',
    ],
    [
      'a file that is not in the changeset',
      { operationId: 'revert', target: 'other' },
      -32602,
      'params/target/resource',
    ],
    ['a file outside of the folder', { operationId: 'revert', target: 'outside' }, -32602, 'params/target/resource'],
    ['a side that the file does not have', { operationId: 'revert', target: 'noSide' }, -32602, 'params/target'],
    [
      'a range that ends before it starts',
      { operationId: 'revert', target: 'backwards' },
      -32602,
      'params/target/range',
    ],
    ['lines of what is not text', { operationId: 'revert', target: 'binary' }, -32602, 'not text'],
    [
      'a kind of target that does not exist',
      { operationId: 'revert', target: { kind: 'word' } },
      -32602,
      'params/target',
    ],
    ['an operation that makes no sense now', { operationId: 'undo' }, -32600, 'nothing to undo'],
    [
      'a changeset that does not exist',
      { operationId: 'revert', channel: 'ahp-changeset:/x/changeset/session' },
      -32008,
      '',
    ],
    ['a URI that is no changeset', { operationId: 'revert', channel: 'ahp-changeset:/x' }, -32008, ''],
    ['two names that disagree', { operationId: 'revert', changeset: 'ahp-changeset:/y' }, -32602, 'params/changeset'],
    ['no changeset at all', { operationId: 'revert', channel: undefined }, -32602, 'channel'],
  ])('%s is refused, and nothing happens', async (_what, params, code, message) => {
    const targets: Record<string, unknown> = {
      file: bench.resource('a.txt'),
      range: bench.lines('a.txt', 0, 0),
      other: bench.resource('b.txt'),
      outside: { kind: 'resource', resource: 'file:///etc/passwd' },
      noSide: { ...bench.resource('a.txt'), side: 'middle' },
      backwards: {
        kind: 'range',
        resource: bench.fileUri('a.txt'),
        range: { start: { line: 3, character: 0 }, end: { line: 1, character: 0 } },
      },
      binary: bench.lines('bin', 0, 0),
    };
    const { target, ...others } = params as { target?: unknown };
    const uri = bench.uri({ kind: 'uncommitted' });
    await bench.changeset(uri);
    await bench.client.sync();
    const seen = bench.client.actionsOn(uri).length;
    const before = bench.tree();
    const wanted = typeof target === 'string' ? targets[target] : target;
    const error = await bench.client.refused('invokeChangesetOperation', {
      channel: uri,
      ...(target !== undefined && { target: wanted === null ? { kind: 'resource' } : wanted }),
      ...others,
    });
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(message)]);
    expect(bench.tree()).toEqual(before);
    await bench.client.sync();
    const statuses = bench.client
      .actionsOn(uri)
      .slice(seen)
      .filter(({ type }) => type === 'changeset/operationStatusChanged');
    expect(statuses).toEqual([]);
  });

  it('takes the changeset under its older name', async () => {
    const changeset = bench.turnUri(turnId);
    const params = { changeset, operationId: 'open-diff' };
    const { followUp } = (await bench.client.peer.request('invokeChangesetOperation', params)) as {
      followUp: { content: { uri: string } };
    };
    expect(await bench.text(followUp.content.uri)).toContain('+two');
    expect(await bench.client.peer.request('invokeChangesetOperation', { ...params, channel: changeset })).toBeTruthy();
  });

  it('without git, what needs git says so', async () => {
    const plain = await ChangesBench.start({ prepare: (b) => b.write('a.txt', 'one\n') });
    try {
      plain.write('a.txt', 'two\n');
      const uri = plain.uri({ kind: 'uncommitted' });
      for (const id of ['stage', 'unstage', 'commit'])
        expect((await plain.operation(uri, id, 'disabled')).description).toContain('not a git repository');
      expect((await plain.refused(uri, 'commit')).code).toBe(-32600);
    } finally {
      await plain.dispose();
    }
  });
});

describe('how it goes', () => {
  let bench: ChangesBench;
  let uri: string;
  let other: WireClient;
  beforeAll(async () => {
    bench = await ChangesBench.start({ prepare: (b) => b.commit({ 'a.txt': 'one\n', 'b.txt': 'b\n' }) });
    uri = bench.uri({ kind: 'uncommitted' });
    other = await bench.host.client();
    await bench.changeset(uri);
    await other.subscribe(uri);
  });
  afterAll(() => bench.dispose());

  const statuses = (client: WireClient, id: string) =>
    client
      .actionsOn(uri)
      .flatMap((action) =>
        action.type === 'changeset/operationStatusChanged' && action.operationId === id ? [action.status] : [],
      );

  it('is shown to everybody who watches: running, then idle (V-34)', async () => {
    bench.write('a.txt', 'two\n');
    const { message } = await bench.invoke(uri, 'revert');
    expect(message).toBe('Reverted a.txt.');
    await other.sync();
    expect(statuses(bench.client, 'revert')).toEqual(['running', 'idle']);
    expect(statuses(other, 'revert')).toEqual(['running', 'idle']);
    await bench.operation(uri, 'undo', 'idle');
    expect((await bench.operation(uri, 'revert', 'disabled')).description).toBe('There are no changes.');
  });

  it('fails with an error that stays until it is tried again', async () => {
    bench.write('a.txt', 'newer\n');
    await bench.refused(uri, 'undo');
    await other.sync();
    expect(statuses(other, 'undo')).toEqual(['running', 'error']);
    expect((await bench.operation(uri, 'undo', 'error')).error?.message).toContain('a.txt');
    bench.write('a.txt', 'one\n');
    await bench.invoke(uri, 'undo');
    expect(bench.read('a.txt')).toBe('two\n');
    await bench.operation(uri, 'undo', 'disabled');
  });

  it('runs once when the same is asked for twice at the same time', async () => {
    bench.write('a.txt', 'three\n');
    const before = statuses(other, 'revert').length;
    const params = { channel: uri, operationId: 'revert' };
    const results = await Promise.all([
      bench.client.request('invokeChangesetOperation', params),
      other.request('invokeChangesetOperation', params),
    ]);
    expect(results[0]).toEqual(results[1]);
    expect(bench.read('a.txt')).toBe('one\n');
    await other.sync();
    expect(statuses(other, 'revert').slice(before)).toEqual(['running', 'idle']);
    await bench.invoke(uri, 'undo');
    expect(bench.read('a.txt')).toBe('three\n');
    expect((await bench.refused(uri, 'undo')).code).toBe(-32600);
  });

  it('goes one after the other when different things are asked for', async () => {
    bench.write('a.txt', 'four\n');
    bench.write('b.txt', 'five\n');
    const session = bench.uri({ kind: 'session' });
    const [a, b, again] = await Promise.allSettled([
      bench.client.request('invokeChangesetOperation', {
        channel: uri,
        operationId: 'revert',
        target: bench.resource('a.txt'),
      }),
      other.request('invokeChangesetOperation', {
        channel: uri,
        operationId: 'revert',
        target: bench.resource('b.txt'),
      }),
      other.request('invokeChangesetOperation', { channel: session, operationId: 'revert' }),
    ]);
    expect([a?.status, b?.status, again?.status]).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(bench.tree()).toEqual({ 'a.txt': '- one\n', 'b.txt': '- b\n' });
    await bench.invoke(uri, 'undo');
    await bench.invoke(uri, 'undo');
    expect(bench.tree()).toEqual({ 'a.txt': '- four\n', 'b.txt': '- five\n' });
    expect(existsSync(join(bench.folder, '.git', 'index.lock'))).toBe(false);
  });

  it('works when nobody watches', async () => {
    bench.client.peer.notify('unsubscribe', { channel: uri });
    other.peer.notify('unsubscribe', { channel: uri });
    await bench.invoke(uri, 'revert');
    expect(bench.tree()).toEqual({ 'a.txt': '- one\n', 'b.txt': '- b\n' });
  });
});

describe('while a turn runs', () => {
  let bench: ChangesBench;
  beforeAll(async () => {
    bench = await ChangesBench.start({
      prepare: (b) => b.commit({ 'a.txt': 'one\n', 'b.txt': 'b\n', 'c.txt': 'c\n' }),
    });
  });
  afterAll(() => bench.dispose());

  it("what is taken back is not the turn's change, and the turn goes on from there", async () => {
    const first = await bench.turn('/append a.txt by the first\\n\n/append b.txt by the first\\n');
    const second = bench.startTurn('/append c.txt 1\\n\n/ask go on?\n/append b.txt by the second\\n');
    const request = await bench.client.action(bench.chat, 'chat/inputRequested');
    await bench.invoke(bench.turnUri(first), 'revert');
    expect([bench.read('a.txt'), bench.read('b.txt')]).toEqual(['one\n', 'b\n']);
    expect((await bench.operation(bench.turnUri(first), 'restore', 'disabled')).description).toContain(
      'A turn is at work',
    );
    const answers = Object.fromEntries(
      (request.request.questions ?? []).map(({ id }) => [
        id,
        { state: 'submitted', value: { kind: 'text', value: 'yes' } },
      ]),
    );
    bench.client.dispatch(bench.chat, {
      type: 'chat/inputCompleted',
      requestId: request.request.id,
      response: 'accept',
      answers,
    });
    await bench.turnEnded(second);
    const state: ChangesetState = await bench.changeset(bench.turnUri(second));
    const changed = state.files.map(({ id, edit }) => [
      id.slice(id.lastIndexOf('/') + 1),
      edit.diff?.added,
      edit.diff?.removed,
    ]);
    expect(changed.sort()).toEqual([
      ['b.txt', 1, 0],
      ['c.txt', 1, 0],
    ]);
    const session = await bench.changeset(bench.uri({ kind: 'session' }));
    expect(session.files.map(({ id }) => id.slice(id.lastIndexOf('/') + 1)).sort()).toEqual(['b.txt', 'c.txt']);
    await bench.invoke(bench.turnUri(second), 'revert');
    expect(bench.tree()).toEqual({ 'a.txt': '- one\n', 'b.txt': '- b\n', 'c.txt': '- c\n' });
  });

  it('what the turn itself did so far can be taken back', async () => {
    const turnId = bench.startTurn('/append a.txt so far\\n\n/ask wait?');
    await bench.client.action(bench.chat, 'chat/inputRequested', 2);
    await bench.invoke(bench.turnUri(turnId), 'revert');
    expect(bench.read('a.txt')).toBe('one\n');
    await bench.changeset(bench.turnUri(turnId), ({ files }) => files.length === 0);
    bench.client.dispatch(bench.chat, { type: 'chat/turnCancelled', duration: 0, turnId });
    await bench.client.action(bench.chat, 'chat/turnCancelled');
  });
});

it('nothing watches a folder for a changeset that its last subscriber left before it was told of a change', async () => {
  const held: (() => void)[] = [];
  let holds = false;
  const defer = (run: () => void) => (holds ? void held.push(run) : nodeClock.defer(run));
  let listeners = 0;
  const counted = new Map<Workspace, Workspace>(); // the same one for the same folder
  const count = (workspace: Workspace): Workspace =>
    instead(workspace, {
      watch: (listener) => {
        listeners++;
        const stop = workspace.watch(listener);
        return () => {
          listeners--;
          stop();
        };
      },
    });
  const workspaces = (folder: string) => {
    const real = workspacesIn(folder);
    const open = (of: string) => {
      const workspace = real.open(of);
      counted.set(workspace, counted.get(workspace) ?? count(workspace));
      return counted.get(workspace) as Workspace;
    };
    return instead(real, { open });
  };
  const bench = await ChangesBench.start({
    prepare: (b) => b.commit({ 'a.txt': 'one\n' }),
    workspaces,
    clock: { ...nodeClock, defer },
  });
  try {
    const before = listeners;
    const channel = bench.uri({ kind: 'uncommitted' });
    await bench.changeset(channel);
    expect(listeners).toBeGreaterThan(before);
    holds = true;
    bench.write('a.txt', 'two\n');
    await expect.poll(() => held.length, { timeout: 30_000 }).toBeGreaterThan(0); // the change is known, and not told yet
    bench.client.peer.notify('unsubscribe', { channel });
    await bench.client.sync();
    expect(listeners).toBe(before);
    holds = false;
    for (const run of held) run();
  } finally {
    await bench.dispose();
  }
});

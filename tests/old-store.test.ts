import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatInputRequest, ChatState, SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../packages/host/src/adapters/shared/sqlite.js';
import { MOORAGE_BIN } from './support/cli.js';
import { type HostProcess, startHostProcess } from './support/host-process.js';
import { type Recorded, type RecordedSession, record } from './support/old-store/record.mjs';
import { type OldFolder, unpackOldFolder } from './support/old-store/unpack.js';
import { Wire } from './support/old-store/wire.mjs';

// What a host of before 1.0 left behind, opened by this one (docs/OPERATIONS.md). The client speaks 0.4 as then.

const SESSIONS = [
  ...['conversation', 'fork', 'reviewed', 'chats', 'model-at-start', 'model-later', 'settings', 'archived', 'unread'],
  ...['usage', 'question', 'approval', 'running', 'active-client', 'removed', 'removed-worktree'],
].map((name) => `ahp-session:/old-${name}`);

/** Their last turn ended with the host, so they come first in the list after a restart. */
const SETTLED = new Set(['ahp-session:/old-running', 'ahp-session:/old-active-client']);

let old: OldFolder;
let host: HostProcess | undefined;
let wire: Wire;
beforeEach(() => {
  old = unpackOldFolder();
});
afterEach(async () => {
  await host?.kill();
  host = undefined;
  old.remove();
});

async function start(): Promise<void> {
  host = await startHostProcess(old.args);
  wire = await Wire.connect(host, 'old-client');
}

const formatOf = (file: string) => {
  const database = openDatabase(file);
  const row = database.prepare<{ user_version: number }>('PRAGMA user_version').get();
  database.close();
  return row?.user_version;
};

describe('a data folder of before 1.0', () => {
  it('opens with everything that was in it', async () => {
    await start();
    const now = comparable(await record(wire));
    const then = comparable(withPrefixes(old.expected));
    expect(Object.keys(then.sessions).sort()).toEqual([...SESSIONS].sort());
    expect(now.settings).toEqual(then.settings);
    expect(now.listed).toEqual(then.listed);
    const order = (uris: string[]) => uris.filter((uri) => !SETTLED.has(uri));
    expect(order(Object.keys(now.listed))).toEqual(order(Object.keys(then.listed)));
    expect(now.removed).toEqual(then.removed);
    for (const uri of SESSIONS) expect([uri, now.sessions[uri]]).toEqual([uri, then.sessions[uri]]);
  });

  it('is the same after another restart', async () => {
    await start();
    const first = comparable(await record(wire));
    await host?.stop();
    await start();
    const { sessions } = comparable(await record(wire));
    for (const uri of SESSIONS) expect([uri, sessions[uri]]).toEqual([uri, first.sessions[uri]]);
  });

  it('says what it does to the store, and keeps a copy that it can go back to', async () => {
    await start();
    const copy = `${old.store}.before-1.0`;
    expect(host?.stderr()).toContain('a copy of it as it was is kept');
    expect(host?.stderr()).not.toContain('damaged');
    expect([formatOf(copy), formatOf(old.store)]).toEqual([2, 3]);
  });

  it('gives snapshots to a client of then, and no replay', async () => {
    host = await startHostProcess(old.args);
    wire = await Wire.open(host, 'old-client');
    const subscriptions = ['ahp-root://', 'ahp-session:/old-unread'];
    const result = await wire.request('reconnect', { clientId: 'old-client', lastSeenServerSeq: 400, subscriptions });
    expect(result).toMatchObject({ type: 'snapshot', snapshots: subscriptions.map((resource) => ({ resource })) });
  });

  it('goes on: open questions are answered, approvals given, what waits comes next, an edit is undone', async () => {
    await start();
    const chatOf = async (name: string) => {
      const { defaultChat = '' } = await wire.subscribe<SessionState>(`ahp-session:/old-${name}`);
      await wire.subscribe(defaultChat);
      return defaultChat;
    };
    const turnIn = (chat: string, find: (turn: ChatState['turns'][number]) => boolean) =>
      wire.shown(chat, ({ turns }: ChatState) => turns.find(find));

    const asking = await chatOf('question');
    const request = await wire.shown(
      asking,
      ({ inputRequests }: { inputRequests?: ChatInputRequest[] }) => inputRequests?.[0],
    );
    expect(request.answers).toEqual({ answer: { state: 'draft', value: { kind: 'selected', value: 'red' } } });
    const answers = { answer: { state: 'submitted', value: { kind: 'selected', value: 'blue' } } };
    await wire.act(asking, { type: 'chat/inputCompleted', requestId: request.id, response: 'accept', answers });
    expect(saidIn(await turnIn(asking, ({ id }) => id === 'choosing'))).toMatch(
      /You answered: blue.*Steered later.*Thanks/s,
    );
    const texts = await wire.shown(asking, ({ turns, activeTurn }: ChatState) =>
      turns.length >= 4 && !activeTurn ? turns.map(({ message }) => message.text) : undefined,
    );
    expect(texts.slice(2)).toEqual(['/say Queued three.', '/say Queued one.']);

    const approving = await chatOf('approval');
    const approval = { type: 'chat/toolCallConfirmed', turnId: 'approving', toolCallId: 'approving-1' };
    await wire.act(approving, { ...approval, approved: true, confirmed: 'user-action' });
    expect(saidIn(await turnIn(approving, ({ id }) => id === 'approving'))).toContain('Written.');
    expect(readFileSync(join(old.project, 'approved.txt'), 'utf8')).toBe('yes\n');

    const channel = 'ahp-changeset:/old-reviewed/changeset/turn/second';
    expect(readFileSync(join(old.project, 'review.txt'), 'utf8')).toBe('a\nb\nc\n');
    await wire.request('invokeChangesetOperation', { channel, operationId: 'undo' });
    expect(readFileSync(join(old.project, 'review.txt'), 'utf8')).toBe('a\nb\nc\nd\n');

    const talking = await chatOf('conversation');
    const message = { text: '/say Still here.', origin: { kind: 'user' } };
    await wire.act(talking, { type: 'chat/turnStarted', turnId: 'later', message });
    expect(saidIn(await turnIn(talking, ({ id }) => id === 'later'))).toBe('Still here.');
  });

  it('is backed up and checked as it is, without being migrated', () => {
    const folder = mkdtempSync(join(tmpdir(), 'moorage-old-backup-'));
    try {
      const run = (...args: string[]) =>
        spawnSync(process.execPath, [MOORAGE_BIN, ...args, '--data-dir', old.data], { encoding: 'utf8' });
      const backup = run('backup', join(folder, 'copy'), '--json');
      expect([backup.status, backup.stderr]).toEqual([0, '']);
      expect(JSON.parse(backup.stdout)).toMatchObject({ sessions: SESSIONS.length, unreadable: [] });
      const check = run('recover', '--check');
      expect([check.status, check.stdout]).toEqual([0, expect.stringContaining('is whole')]);
      expect([formatOf(old.store), formatOf(join(folder, 'copy', 'store.sqlite'))]).toEqual([2, 2]);
      expect(existsSync(`${old.store}.before-1.0`)).toBe(false);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** The text that an agent said in a turn. */
function saidIn({ responseParts }: ChatState['turns'][number]): string {
  return responseParts.map((part) => (part.kind === 'markdown' ? part.content : '')).join('');
}

/** Without what a restart may change: the time of what it settles, and what the host finds out by looking at the folder. */
function comparable({ listed, removed, settings, sessions }: Recorded) {
  const plain = (value: unknown) =>
    JSON.parse(JSON.stringify(value, (name, member) => (VOLATILE.has(name) ? undefined : member)));
  const byUri = (items: readonly { readonly resource?: unknown }[]) =>
    Object.fromEntries(items.map((item) => [String(item.resource), item]));
  return {
    listed: byUri(plain(listed)),
    removed: plain(removed),
    settings,
    sessions: Object.fromEntries(
      Object.entries(sessions).map(([uri, one]) => [uri, withSortedCustomizations(plain(one))]),
    ),
  };
}

const VOLATILE = new Set(['modifiedAt', 'changesets']);

/** They come in the order in which they are found. */
function withSortedCustomizations(recorded: RecordedSession): RecordedSession {
  const { customizations, ...session } = recorded.session;
  const entries = (customizations ?? []) as { readonly id: string; readonly state?: unknown }[];
  const sorted = entries.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ state: _, ...entry }) => entry);
  return { ...recorded, session: { ...session, customizations: sorted } };
}

/** What the old host showed, with the names that the members of `_meta` have today. */
function withPrefixes(recorded: Recorded): Recorded {
  const renamed = (meta: object) =>
    Object.fromEntries(
      Object.entries(meta).map(([name, value]) => [UNPREFIXED.has(name) ? `moorage.${name}` : name, value]),
    );
  return JSON.parse(JSON.stringify(recorded), (name, value) => (name === '_meta' ? renamed(value) : value));
}

const UNPREFIXED = new Set(['durationMs', 'context', 'steering', 'path', 'side', 'reviewed', 'staged']);

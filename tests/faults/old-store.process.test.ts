import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type ChannelKind,
  type ChatState,
  channelRegistry,
  type SessionState,
  type SessionSummary,
  SessionSummarySchema,
  strict,
} from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../packages/host/src/adapters/shared/sqlite.js';
import { openSqliteStore } from '../../packages/host/src/adapters/store-sqlite/index.js';
import { PATIENT } from '../support/actions.js';
import { MOORAGE_BIN } from '../support/cli.js';
import { type HostProcess, startHostProcess } from '../support/host-process.js';
import { type Json, type Recorded, type RecordedSession, record } from '../support/old-store/record.mjs';
import { type OldFolder, unpackOldFolder } from '../support/old-store/unpack.js';
import { Wire } from '../support/old-store/wire.mjs';

// What a host of before 1.0 left behind, opened by this one (docs/OPERATIONS.md). The client speaks 0.4 as then.

const SESSIONS = [
  ...['conversation', 'fork', 'reviewed', 'chats', 'model-at-start', 'model-later', 'settings', 'archived', 'unread'],
  ...['usage', 'question', 'approval', 'running', 'active-client', 'removed', 'removed-worktree'],
].map((name) => `ahp-session:/old-${name}`);

/** Their last turn ended with the host, so they come first in the list after a restart. */
const SETTLED = new Set(['ahp-session:/old-running', 'ahp-session:/old-active-client']);

/** When their last turn ended is not, or no longer, known to the millisecond. */
const UNTIMED = new Set([...SETTLED, 'ahp-session:/old-removed', 'ahp-session:/old-removed-worktree']);

/** What is read of a chat. Its open questions are there in 0.4 only. */
interface ShownChat {
  readonly turns: readonly ShownTurn[];
  readonly activeTurn?: unknown;
  readonly inputRequests?: readonly { readonly id: string; readonly answers?: unknown }[];
}

interface ShownTurn {
  readonly id: string;
  readonly message: { readonly text: string };
  readonly responseParts: readonly { readonly kind: string; readonly content?: string }[];
}

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

const moorage = (...args: string[]) =>
  spawnSync(process.execPath, [MOORAGE_BIN, ...args, '--data-dir', old.data], { encoding: 'utf8' });

const formatOf = (file: string) => {
  const database = openDatabase(file);
  const row = database.prepare<{ user_version: number }>('PRAGMA user_version').get();
  database.close();
  return row?.user_version;
};

describe('a data folder of before 1.0', () => {
  it('opens with everything that was in it', async () => {
    await start();
    const now = withoutFailures(comparable(await record(wire)));
    const then = withoutFailures(comparable(asShownToday(old.expected)));
    expect(Object.keys(then.sessions).sort()).toEqual([...SESSIONS].sort());
    expect(now.settings).toEqual(then.settings);
    expect(now.listed).toEqual(then.listed);
    const order = (uris: string[]) => uris.filter((uri) => !SETTLED.has(uri));
    expect(order(Object.keys(now.listed))).toEqual(order(Object.keys(then.listed)));
    expect(now.removed).toEqual(then.removed);
    for (const uri of SESSIONS) expect([uri, now.sessions[uri]]).toEqual([uri, then.sessions[uri]]);
  });

  it('has every state in the form of 1.0 afterwards', () => {
    openSqliteStore({ file: old.store }).close();
    const database = openDatabase(old.store);
    const states = database.prepare<{ uri: string; kind: ChannelKind; json: string }>(
      'SELECT uri, kind, json FROM snapshots JOIN channels ON id = channel_id',
    );
    const summaries = database.prepare<{ uri: string; summary: string }>('SELECT uri, summary FROM sessions');
    const wrong = [
      ...states.all().filter(({ kind, json }) => !strict(channelRegistry[kind].state).check(JSON.parse(json))),
      ...summaries.all().filter(({ summary }) => !strict(SessionSummarySchema).check(JSON.parse(summary))),
    ];
    expect([wrong.map(({ uri }) => uri), states.all().length > 40]).toEqual([[], true]);
    database.close();
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
    expect([formatOf(copy), formatOf(old.store)]).toEqual([2, 5]);
  });

  it('gives snapshots to a client of then that reconnects, and no replay, and goes on with it', async () => {
    host = await startHostProcess(old.args);
    wire = await Wire.open(host, 'old-client');
    const { defaultChat: chat } = old.expected.sessions['ahp-session:/old-unread']?.session ?? {};
    const subscriptions = ['ahp-root://', 'ahp-session:/old-unread', String(chat)];
    const result = await wire.request('reconnect', { clientId: 'old-client', lastSeenServerSeq: 400, subscriptions });
    const states = [{}, { summary: { title: 'Unread' } }, { turns: [{ id: 'news' }, { id: 'more-news' }] }];
    expect(result).toMatchObject({
      type: 'snapshot',
      snapshots: subscriptions.map((resource, index) => ({ resource, state: states[index] })),
    });
    const message = { text: '/say After the upgrade.', origin: { kind: 'user' } };
    await wire.act(String(chat), { type: 'chat/turnStarted', turnId: 'later', message });
    await wire.action(String(chat), 'chat/turnComplete', ({ turnId }) => turnId === 'later');
    const turn = await wire.shown(String(chat), ({ turns }: ShownChat) => turns.find(({ id }) => id === 'later'));
    expect(saidIn(turn)).toBe('After the upgrade.');
    await wire.action('ahp-session:/old-unread', 'session/chatUpdated');
  });

  it('shows clients of 1.0 what was reviewed', async () => {
    host = await startHostProcess(old.args);
    wire = await Wire.connect(host, 'new-client', '1.0.0');
    const channel = 'ahp-changeset:/old-reviewed/changeset/turn/first';
    const reviewed = async () => {
      const { files } = await wire.subscribe<{ files: { reviewed?: boolean }[] }>(channel);
      return files.some((file) => file.reviewed);
    };
    await expect.poll(reviewed, PATIENT).toBe(true);
  });

  it('shows clients of 1.0 what its chats wait for, and what was chosen for their next message', async () => {
    host = await startHostProcess(old.args);
    wire = await Wire.connect(host, 'new-client', '1.0.0');
    const waitingIn = async (name: string) => {
      const session = await wire.subscribe<SessionState>(`ahp-session:/old-${name}`);
      return session.inputNeeded?.map((request) => [request.kind, request.chat === session.defaultChat]);
    };
    expect(await waitingIn('question')).toEqual([
      ['chatInput', true],
      ['chatInput', false],
    ]);
    expect(await waitingIn('approval')).toEqual([['toolConfirmation', true]]);
    expect(await waitingIn('running')).toBeUndefined();

    const draftsIn = async (name: string) => {
      const { chats } = await wire.subscribe<SessionState>(`ahp-session:/old-${name}`);
      const states = await Promise.all(chats.map(({ resource }) => wire.subscribe<ChatState>(resource)));
      return states.map(({ origin, draft }) => [origin?.kind, draft?.text, draft?.model?.config, draft?.agent?.uri]);
    };
    const reviewer = pathToFileURL(join(old.project, '.claude/agents/reviewer.md')).href;
    expect(await draftsIn('model-later')).toEqual([['user', '', { pace: 'later' }, reviewer]]);
    expect(await draftsIn('chats')).toEqual([
      ['user', undefined, undefined, undefined],
      ['tool', undefined, undefined, undefined],
      ['user', '', { pace: 'slow' }, undefined],
      ['fork', undefined, undefined, undefined],
    ]);

    const { items } = await wire.request<{ items: SessionSummary[] }>('listSessions', {});
    const listed = items.find(({ resource }) => resource === 'ahp-session:/old-question');
    expect([listed?.createdAt, listed?.chats?.length]).toEqual(['2026-11-18T03:39:01.148Z', 2]);
  });

  it('goes on: open questions are answered, approvals given, what waits comes next, an edit is undone', async () => {
    await start();
    const chatOf = async (name: string) => {
      const { defaultChat } = await wire.subscribe<{ defaultChat: string }>(`ahp-session:/old-${name}`);
      await wire.subscribe(defaultChat);
      return defaultChat;
    };
    const turnIn = (chat: string, find: (turn: ShownTurn) => boolean) =>
      wire.shown(chat, ({ turns }: ShownChat) => turns.find(find));

    const asking = await chatOf('question');
    const request = await wire.shown(asking, ({ inputRequests }: ShownChat) => inputRequests?.[0]);
    expect(request.answers).toEqual({ answer: { state: 'draft', value: { kind: 'selected', value: 'red' } } });
    const answers = { answer: { state: 'submitted', value: { kind: 'selected', value: 'blue' } } };
    await wire.act(asking, { type: 'chat/inputCompleted', requestId: request.id, response: 'accept', answers });
    expect(saidIn(await turnIn(asking, ({ id }) => id === 'choosing'))).toMatch(
      /You answered: blue.*Steered later.*Thanks/s,
    );
    const texts = await wire.shown(asking, ({ turns, activeTurn }: ShownChat) =>
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

  it('is recovered in the form of 1.0 if it is damaged, and then goes on too', async () => {
    const database = openDatabase(old.store);
    database.exec(`
      UPDATE log SET envelopes = substr(envelopes, 2) WHERE id = (
        SELECT max(log.id) FROM log JOIN channels ON channels.id = channel_id WHERE uri = 'ahp-chat:/old-second'
      )
    `);
    database.close();
    expect(moorage('recover', '--check').status).toBe(3);
    const { status, stdout } = moorage('recover');
    expect([status, stdout]).toEqual([3, expect.stringContaining('ahp-chat:/old-second: saved, but incomplete')]);
    expect(stdout).toContain(`Saved: ${SESSIONS.length} sessions`);
    expect([formatOf(old.store), stdout.match(/: (lost|saved)/g)?.length]).toEqual([5, 1]);

    host = await startHostProcess(old.args);
    wire = await Wire.connect(host, 'new-client', '1.0.0');
    const { inputNeeded, defaultChat = '' } = await wire.subscribe<SessionState>('ahp-session:/old-question');
    expect(inputNeeded?.map(({ kind }) => kind)).toEqual(['chatInput', 'chatInput']);
    await wire.subscribe(defaultChat);
    const answers = { answer: { state: 'submitted', value: { kind: 'selected', value: 'blue' } } };
    await wire.act(defaultChat, { type: 'chat/inputCompleted', requestId: 'choosing-1', response: 'accept', answers });
    const turn = await wire.shown(defaultChat, ({ turns }: ShownChat) => turns.find(({ id }) => id === 'choosing'));
    expect(saidIn(turn)).toContain('You answered: blue');
  });

  it('is backed up and checked as it is, without being migrated', () => {
    const folder = mkdtempSync(join(tmpdir(), 'moorage-old-backup-'));
    try {
      const backup = moorage('backup', join(folder, 'copy'), '--json');
      expect([backup.status, backup.stderr]).toEqual([0, '']);
      expect(JSON.parse(backup.stdout)).toMatchObject({ sessions: SESSIONS.length, unreadable: [] });
      const check = moorage('recover', '--check');
      expect([check.status, check.stdout]).toEqual([0, expect.stringContaining('is whole')]);
      expect([formatOf(old.store), formatOf(join(folder, 'copy', 'store.sqlite'))]).toEqual([2, 2]);
      expect(existsSync(`${old.store}.before-1.0`)).toBe(false);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** The text that an agent said in a turn. */
function saidIn({ responseParts }: ShownTurn): string {
  return responseParts.map(({ kind, content }) => (kind === 'markdown' ? content : '')).join('');
}

/** Without what a restart may change: when it settled something, and what the host finds out by looking at the folder. */
function comparable({ listed, removed, settings, sessions }: Recorded) {
  const plain = (value: unknown) =>
    JSON.parse(
      JSON.stringify(value, (name, member) => {
        if (name === 'changesets') return undefined;
        return name === '_meta' ? withoutBranch(member) : asContent(member);
      }),
    );
  return {
    listed: Object.fromEntries(
      listed.map((summary) => {
        const uri = String(summary.resource);
        return [uri, plain(SETTLED.has(uri) ? withoutTimes(summary) : summary)];
      }),
    ),
    removed: plain(removed),
    settings,
    sessions: Object.fromEntries(
      Object.entries(sessions).map(([uri, one]) => {
        const known = plain(withSortedCustomizations(one));
        return [uri, UNTIMED.has(uri) ? withoutTimes(known) : known];
      }),
    ),
  };
}

/** The branch of a session's repository is found anew; a store of then has none. */
function withoutBranch({ git: _git, ...meta }: Record<string, unknown> = {}): object | undefined {
  return Object.keys(meta).length > 0 ? meta : undefined;
}

/** The URI of a version of a file names the file today; the content is the same. */
function asContent(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/^(ahp-file-version:\/).*\?(\w+)\.(\w+)$/, '$1$2/$3') : value;
}

function withoutTimes<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (name, member) => (name === 'modifiedAt' ? undefined : member)));
}

/** They come in the order in which they are found. */
function withSortedCustomizations(recorded: RecordedSession): RecordedSession {
  const { customizations, ...session } = recorded.session;
  const entries = (customizations ?? []) as { readonly id: string; readonly state?: unknown }[];
  const sorted = entries.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ state: _, ...entry }) => entry);
  return { ...recorded, session: { ...session, customizations: sorted } };
}

/** What the old host showed, as a client of then sees it today. */
function asShownToday({ listed, removed, settings, sessions }: Recorded): Recorded {
  const inList = ({ model: _model, agent: _agent, ...summary }: Json) => summary; // lists no longer say it
  return withPrefixes({
    listed: listed.map(inList),
    removed: removed.map((one) => ({ ...one, summary: inList(one.summary as Json) })),
    settings,
    sessions: Object.fromEntries(Object.entries(sessions).map(([uri, one]) => [uri, sessionToday(one)])),
  });
}

/**
 * Chats have their model and agent themselves; a session shows those of its default chat, and the time of the latest.
 * Counts of changes are in lists.
 */
function sessionToday(recorded: RecordedSession): RecordedSession {
  const { session } = recorded;
  const { model, agent, changes: _changes, ...summary } = session.summary as Json;
  const chosen = (chat: Json) =>
    (chat.origin as Json | undefined)?.kind === 'tool' ? chat : { model, agent, ...chat };
  const chats = Object.fromEntries(Object.entries(recorded.chats).map(([uri, chat]) => [uri, chosen(chat)]));
  const { model: shownModel, agent: shownAgent } = chats[String(session.defaultChat)] ?? {};
  const times = Object.values(chats).map(({ modifiedAt }) => Date.parse(String(modifiedAt)));
  const modifiedAt = Math.max(Number(summary.createdAt), ...times);
  const entries = (session.chats as Json[]).map(({ model: _model, agent: _agent, ...entry }) => entry);
  return {
    ...recorded,
    session: { ...session, chats: entries, summary: { ...summary, modifiedAt, model: shownModel, agent: shownAgent } },
    chats,
  };
}

/**
 * With the names that the members of `_meta` have today. Those of a system notification are shown only since 0.6, and that a
 * file was reviewed is a member of the file itself, which is shown since 0.5.2.
 */
function withPrefixes(recorded: Recorded): Recorded {
  const renamed = (meta: object) =>
    Object.fromEntries(
      Object.entries(meta).map(([name, value]) => [UNPREFIXED.has(name) ? `moorage.${name}` : name, value]),
    );
  return JSON.parse(JSON.stringify(recorded), (name, value) => {
    if (value?.kind === 'systemNotification') return { ...value, _meta: undefined };
    if (name !== '_meta') return value;
    const { reviewed: _, ...others } = value;
    return Object.keys(others).length > 0 ? renamed(others) : undefined;
  });
}

const UNPREFIXED = new Set(['durationMs', 'context', 'path', 'side', 'staged']);

/** Since then, the activity of what failed says why. */
function withoutFailures<T>(recorded: T): T {
  const isFailure = (key: string, value: unknown) => key === 'activity' && /^(Failed: .*)?$/.test(String(value));
  return JSON.parse(JSON.stringify(recorded, (key, value) => (isFailure(key, value) ? undefined : value)));
}

import { ROOT_URI, type RootState, type SessionSummary } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTurn, turn, turnEnd } from '../support/actions.js';
import { FailingStore, holds } from '../support/failing-store.js';
import { ManualClock } from '../support/manual-clock.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let host: TestHost;
let vscode: WireClient;
let ours: WireClient;
let disk: FailingStore;
beforeEach(async () => {
  disk = new FailingStore();
  host = await TestHost.start({ store: disk.wrap });
  await connect();
});
afterEach(() => host.dispose({ expectErrors: /store\.commit-failed/ }));

async function connect() {
  vscode = await host.client({ subscriptions: [ROOT_URI], program: 'vscode-editor-window' });
  ours = await host.client({ subscriptions: [ROOT_URI] });
}

const listed = async (client: WireClient) =>
  (await client.request('listSessions', { channel: ROOT_URI })).items.map(({ resource }: SessionSummary) => resource);

/** What everybody can see of a session in lists: entries, notifications, and the number of sessions. */
async function seen() {
  const [lists, counts, notices] = [[], [], []] as [string[][], (number | undefined)[], string[][]];
  for (const client of [vscode, ours]) {
    lists.push(await listed(client));
    counts.push((await client.subscribe<RootState>(ROOT_URI)).activeSessions);
    notices.push(client.received.filter((type) => type.startsWith('root/session')));
  }
  return { lists, counts, notices };
}

const NOTHING = { lists: [[], []], counts: [0, 0], notices: [[], []] };

describe('a session that VS Code creates (V-43)', () => {
  it('is in no list and told to nobody before its first turn', async () => {
    const { session, chat } = await host.session(vscode, {}, 'demo:/provisional');
    await vscode.act(session, { type: 'session/titleChanged', title: 'Named early' });
    expect(await seen()).toEqual(NOTHING);
    startTurn(vscode, chat, '/say hello');
    const { summary } = await ours.notification('root/sessionAdded');
    expect(summary).toMatchObject({ resource: session, title: 'Named early' });
    await vscode.notification('root/sessionAdded');
    expect(await listed(ours)).toEqual([session]);
    expect((await ours.subscribe<RootState>(ROOT_URI)).activeSessions).toBe(1);
  });

  it('is still provisional after a restart, and listed with its first turn, once', async () => {
    const { session, chat } = await host.session(vscode);
    await host.restart();
    await connect();
    expect(await seen()).toEqual(NOTHING);
    await vscode.subscribe(chat);
    await turn(vscode, chat, '/say one');
    await turn(vscode, chat, '/say two');
    expect(await listed(ours)).toEqual([session]);
    expect(ours.received.filter((type) => type === 'root/sessionAdded')).toHaveLength(1);
    await host.restart();
    await connect();
    expect(await listed(ours)).toEqual([session]);
    expect((await ours.subscribe<RootState>(ROOT_URI)).activeSessions).toBe(1);
  });

  it('is disposed without anybody being told', async () => {
    const { session } = await host.session(vscode);
    await vscode.request('disposeSession', { channel: session });
    expect(await seen()).toEqual(NOTHING);
    expect(await ours.request('listDisposedSessions', { channel: ROOT_URI })).toEqual({ items: [] });
    expect(await vscode.refused('subscribe', { channel: session })).toMatchObject({ code: -32001 });
  });

  it('stays provisional when its first turn cannot be stored', async () => {
    const { session, chat } = await host.session(vscode);
    disk.fail(holds('chat/turnStarted'));
    startTurn(vscode, chat, '/say lost');
    await vscode.envelope(({ rejectionReason }) => rejectionReason !== undefined);
    disk.recover();
    expect(await seen()).toEqual(NOTHING);
    const kept = startTurn(vscode, chat, '/say kept');
    await turnEnd(vscode, chat, kept);
    expect(await listed(ours)).toEqual([session]);
  });

  it('is listed at once if it has turns of another session', async () => {
    const source = await host.session(ours);
    const turnId = await turn(ours, source.chat, '/say hello');
    const channel = host.newSessionUri();
    await vscode.request('createSession', {
      channel,
      _meta: { 'moorage.fork': { session: source.session, turnId } },
    });
    expect(await listed(ours)).toContain(channel);
  });
});

it('a session that another program creates is listed at once', async () => {
  const { session } = await host.session(ours);
  expect(await listed(vscode)).toEqual([session.replace('ahp-session:', 'demo:')]);
});

it('a provisional session that was abandoned is gone after a day; one that is shown or used is not (V-43)', async () => {
  const clock = new ManualClock();
  const other = await TestHost.start({ clock });
  try {
    const window = await other.client({ program: 'vscode-editor-window' });
    const abandoned = other.newSessionUri();
    await window.request('createSession', { channel: abandoned, provider: 'demo' });
    const shown = await other.session(window);
    const used = await other.session(window);
    await turn(window, used.chat, '/say hello');
    window.peer.notify('unsubscribe', { channel: used.session });
    await window.sync();
    clock.advance(26 * 3_600_000);
    expect(await window.refused('subscribe', { channel: abandoned })).toMatchObject({ code: -32001 });
    await window.subscribe(shown.session);
    await window.subscribe(used.session);
  } finally {
    await other.dispose();
  }
});

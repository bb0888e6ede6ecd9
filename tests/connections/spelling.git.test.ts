import {
  type ActionEnvelope,
  type ChangesetState,
  type ChatState,
  expandUriTemplate,
  ROOT_URI,
  type SessionState,
} from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, approval, startTurn, turn, turnEnd } from '../support/actions.js';
import { rewrittenUri } from '../support/rewritten-uri.js';
import { run } from '../support/run-from-small-process.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { workspacesIn } from '../support/workspaces.js';

let host: TestHost;
let ours: WireClient;
let vscode: WireClient;
let heard: string[];
beforeEach(async () => {
  host = new TestHost({ workspaces: workspacesIn });
  run('git', ['init', '-q', host.workspace]);
  await host.start();
  ours = await host.client({ subscriptions: [ROOT_URI] });
  vscode = await host.client({ subscriptions: [ROOT_URI], program: 'vscode-editor-window' });
  heard = listen(vscode);
});
afterEach(() => host.dispose());

/** Every frame that arrives at a client from now on, as it is. */
function listen(client: WireClient): string[] {
  const frames: string[] = [];
  client.socket.on('message', (data) => frames.push(data.toString()));
  return frames;
}

const encoded = (text: string) => Buffer.from(text).toString('base64url');
const defaultChat = (session: string) => `ahp-chat://default/${encoded(session)}`;
const providerName = (session: string) => session.replace('ahp-session:', 'demo:');
const listed = async (client: WireClient) =>
  (await client.request('listSessions', { channel: ROOT_URI })).items.map(({ resource }) => resource);

/** A session of a client of ours, as VS Code names it and its chat. */
async function session() {
  const made = await host.session(ours);
  const name = providerName(made.session);
  return { ...made, name, chatName: defaultChat(name) };
}

/** A turn that writes a file, with the client's approval. */
async function writing(client: WireClient, chat: string, path: string): Promise<string> {
  const turnId = startTurn(client, chat, `/write ${path} text`);
  const { toolCallId } = await client.action(chat, 'chat/toolCallReady');
  client.dispatch(chat, approval(turnId, toolCallId));
  await turnEnd(client, chat, turnId);
  return turnId;
}

describe('VS Code sees a session of another client', () => {
  it('in lists and notifications by its provider (V-44)', async () => {
    const { session: uri, name } = await session();
    const { summary } = await vscode.notification('root/sessionAdded');
    expect(summary.resource).toBe(name);
    expect(await listed(vscode)).toEqual([name]);
    await accepted(ours, uri, { type: 'session/titleChanged', title: 'Renamed' });
    await vscode.notification('root/sessionSummaryChanged', (params) => params.session === name);
    await ours.request('disposeSession', { channel: uri });
    await vscode.notification('root/sessionRemoved', (params) => params.session === name);
    expect(heard.join('\n')).not.toContain('ahp-session:');
  });

  it('under one name per session and chat, everywhere in it (V-11, V-12)', async () => {
    const { name, chat, chatName } = await session();
    const state = await vscode.subscribe<SessionState>(name);
    expect(state).toMatchObject({ defaultChat: chatName, chats: [{ resource: chatName }] });
    expect((await vscode.subscribe<ChatState>(chatName)).resource).toBe(chatName);
    expect(await vscode.subscribe(`${name}/annotations`)).toEqual({ annotations: [] });
    const own = await vscode.act(chatName, {
      type: 'chat/turnStarted',
      turnId: 'own',
      startedAt: '2026-01-01T00:00:00.000Z',
      message: userMessage('/say from VS Code'),
    });
    expect(own).toMatchObject({ channel: chatName, origin: { clientId: vscode.clientId } });
    await turnEnd(vscode, chatName, 'own');
    const other = startTurn(ours, chat, '/say from elsewhere');
    await turnEnd(vscode, chatName, other);
    expect((await vscode.subscribe<ChatState>(chatName)).turns).toHaveLength(2);
    // What a chat changed is named by its session, as VS Code calls that; everything else is the same.
    const isNamed = ({ type }: { type: string }) => type === 'chat/changesetsChanged';
    const others = (actions: { type: string }[]) => actions.filter((action) => !isNamed(action));
    expect(others(vscode.actionsOn(chatName))).toEqual(others(ours.actionsOn(chat)));
    expect(vscode.actionsOn(chatName).filter(isNamed)).toHaveLength(ours.actionsOn(chat).filter(isNamed).length);
    expect(heard.join('\n')).not.toMatch(/"ahp-(session|chat):\/[^/]/);
  });

  it('and its client still sees it as it named it', async () => {
    const { session: uri, chat, chatName } = await session();
    const frames = listen(ours);
    startTurn(vscode, chatName, '/say hello');
    await ours.action(chat, 'chat/turnComplete');
    expect(await listed(ours)).toEqual([uri]);
    expect(frames.join('\n')).not.toMatch(/demo:\/|ahp-chat:\/\//);
  });

  it('with changesets that are named by it, and found under the fixed names that it uses (V-14, V-15, V-51)', async () => {
    const { session: uri, name, chat, chatName } = await session();
    const turnId = await writing(ours, chat, 'a.txt');
    let { changesets } = await vscode.subscribe<SessionState>(name);
    if (!changesets) ({ changesets } = await vscode.action(name, 'session/changesetsChanged'));
    for (const { uriTemplate } of changesets ?? []) expect(uriTemplate.startsWith(`${name}/changeset/`)).toBe(true);
    const template = changesets?.find(({ changeKind }) => changeKind === 'turn')?.uriTemplate ?? '';
    const ofTurn = expandUriTemplate(template, { turnId });
    expect(ofTurn).toBe(`${name}/changeset/turn/${turnId}`);
    for (const channel of [
      ofTurn,
      ...['uncommitted', 'session', 'branch'].map((kind) => `${name}/changeset/${kind}`),
    ]) {
      expect(rewrittenUri(channel)).toBe(channel);
      await vscode.subscribe<ChangesetState>(channel);
    }
    await vscode.subscribe(chatName);
    await writing(vscode, chatName, 'b.txt');
    const changed = await vscode.envelope(
      (e: ActionEnvelope) => e.channel === `${name}/changeset/session` && e.action.type.startsWith('changeset/'),
    );
    expect(changed.channel).toBe(`${name}/changeset/session`);
    // Also by the URI that the host has given it, for a client that takes that.
    await ours.subscribe<ChangesetState>(`${uri}/changeset/turn/${turnId}`);
    expect(heard.join('\n')).not.toMatch(/(?<!"id":)"ahp-(session|chat|changeset):\/[^/]/); // ids only look like URIs
  });

  it('with sub-agents that it knows as such (V-12)', async () => {
    const { session: uri, name, chat, chatName } = await session();
    await vscode.subscribe<SessionState>(name);
    await vscode.subscribe(chatName);
    startTurn(ours, chat, '/spawn /ask Shall I?');
    const { summary } = await vscode.action(name, 'session/chatAdded');
    const { toolCallId } = await vscode.action(chatName, 'chat/toolCallStart');
    const child = `ahp-chat://subagent/${encoded(name)}/${encodeURIComponent(toolCallId)}`;
    expect(summary).toMatchObject({ resource: child, origin: { chat: chatName } });
    const { content } = await vscode.action(chatName, 'chat/toolCallContentChanged');
    expect(content).toMatchObject([{ type: 'subagent', resource: child }]);
    expect((await vscode.subscribe<ChatState>(rewrittenUri(child))).resource).toBe(rewrittenUri(child));
    expect((await ours.subscribe<SessionState>(uri)).chats).toHaveLength(2);
  });

  it('again after it reconnects, by replay (V-11)', async () => {
    const { name, chat, chatName } = await session();
    await vscode.subscribe<SessionState>(name);
    await vscode.subscribe(chatName);
    await host.leave(vscode);
    const turnId = await turn(ours, chat, '/say while away');
    const back = await host.reconnect(vscode, [ROOT_URI, name, chatName]);
    if (back.result.type !== 'replay') throw new Error('expected a replay');
    const channels = new Set(back.result.actions.map(({ channel }) => channel));
    expect(channels).toEqual(new Set([name, chatName]));
    expect(back.result.missing).toEqual([]);
    expect(back.result.actions.map(({ action }) => action)).toContainEqual({
      type: 'chat/turnComplete',
      turnId,
      duration: expect.any(Number),
    });
    const next = startTurn(ours, chat, '/say live');
    await turnEnd(back.client, chatName, next);
    expect(await listed(back.client)).toEqual([name]);
  });

  it('and text that looks like a name stays as it is', async () => {
    const { session: uri, name, chat, chatName } = await session();
    await vscode.subscribe(chatName);
    for (const text of [uri, `"channel":"${uri}"`, `{"session":"${chat}"}`]) {
      const turnId = startTurn(ours, chat, `/say ${text}`);
      await turnEnd(vscode, chatName, turnId);
      expect((await vscode.subscribe<ChatState>(chatName)).turns.at(-1)?.message.text).toBe(`/say ${text}`);
    }
    await accepted(ours, uri, { type: 'session/titleChanged', title: uri });
    expect((await vscode.subscribe<SessionState>(name)).title).toBe(uri);
  });
});

describe('a window of VS Code', () => {
  it('that takes session URIs of any scheme gets those of ours (V-9)', async () => {
    const { session: uri } = await session();
    const meta = { 'vscode.ahpSessionUris': true };
    const newer = await host.client({ program: 'vscode-agents-window', meta });
    expect(await listed(newer)).toEqual([uri]);
    const { defaultChat: shown } = await newer.subscribe<SessionState>(uri);
    expect(shown).toBe(defaultChat(uri));
  });

  it('creates sessions with its own names, which others see (V-11)', async () => {
    const made = await host.session(vscode, {}, 'demo:/created');
    expect(made.chat).toBe(defaultChat('demo:/created'));
    await turn(vscode, made.chat, '/say hello');
    expect(await listed(ours)).toEqual(['demo:/created']);
    const { changesets = [] } = await ours.subscribe<SessionState>('demo:/created');
    for (const { uriTemplate } of changesets) expect(uriTemplate).toMatch(/^demo:\/created\/changeset\//);
    const chat = `ahp-chat://second/${encoded('demo:/created')}`;
    await vscode.request('createChat', { channel: 'demo:/created', chat });
    expect((await ours.subscribe<SessionState>('demo:/created')).chats).toMatchObject([{}, { resource: chat }]);
    await vscode.subscribe(chat);
    await turn(vscode, chat, '/say hello');
  });
});

describe('any other client', () => {
  it('is answered in the names that it uses, and lists sessions by them (V-11)', async () => {
    const one = await session();
    const two = await session();
    const other = await host.client({ program: null });
    expect(new Set(await listed(other))).toEqual(new Set([one.session, two.session]));
    expect((await other.request('subscribe', { channel: one.name })).snapshot?.resource).toBe(one.name);
    expect((await other.subscribe<ChatState>(one.chatName)).resource).toBe(one.chatName);
    expect(await other.act(one.name, { type: 'session/titleChanged', title: 'Mine' })).toMatchObject({
      channel: one.name,
    });
    expect(new Set(await listed(other))).toEqual(new Set([one.name, two.name]));
  });

  it('may name the root and terminals as VS Code does (V-16)', async () => {
    const other = await host.client({ program: null });
    expect(await other.subscribe('ahp-root:')).toMatchObject({ agents: expect.anything() });
    const channel = 'agenthost-terminal:/one';
    await other.request('createTerminal', { channel, claim: { kind: 'client', clientId: other.clientId } });
    expect(await other.subscribe(channel)).toMatchObject({ title: expect.any(String) });
    other.dispatch(channel, { type: 'terminal/input', data: 'echo o""k\n' });
    await other.envelope((e) => e.channel === channel && JSON.stringify(e.action).includes('ok'));
    await other.request('disposeTerminal', { channel });
  });
});

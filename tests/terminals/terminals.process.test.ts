import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodePtys } from '@moorage/host';
import { ROOT_URI, type RootState, type TerminalState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PATIENT, reasonFor } from '../support/actions.js';
import { exitCodeOf } from '../support/exit-code.js';
import { isAlive } from '../support/processes.js';
import { TerminalView } from '../support/terminals.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let host: TestHost;
let client: WireClient;
const start = async (options = {}) => {
  host = await TestHost.start({ terminals: { shell: '/bin/sh', ...options } });
  client = await host.client({ subscriptions: [ROOT_URI] });
};
beforeEach(() => start());
afterEach(() => host.dispose());

const listed = async () => (await client.subscribe<RootState>(ROOT_URI)).terminals ?? [];

describe('a terminal', () => {
  it('is there as soon as it was asked for, and is listed (B-53, B-276)', async () => {
    const view = await TerminalView.open(client, { name: 'Build', cols: 100, rows: 30 });
    const claim = { kind: 'client', clientId: client.clientId };
    expect(view.state).toMatchObject({ title: 'Build', cwd: host.workspaceUri, cols: 100, rows: 30, claim });
    expect(await listed()).toEqual([{ resource: view.uri, title: 'Build', claim, lifecycle: { status: 'running' } }]);
    view.type('stty size; pwd\r');
    await view.untilText(`30 100\r\n${host.workspace}\r\n`);
  });

  it('writes what is typed, resizes, and reports how its program ends (B-280, B-281, B-287)', async () => {
    const view = await TerminalView.open(client);
    client.dispatch(view.uri, { type: 'terminal/resized', cols: 132, rows: 50 });
    view.type('stty size\r');
    await view.untilText('50 132\r\n');
    view.type('exit 7\r');
    await view.until((state) => exitCodeOf(state) === 7);
    expect(view.state).toMatchObject({
      cols: 132,
      rows: 50,
      lifecycle: { status: 'exited', exitCode: 7 },
      isPty: true,
    });
    await client.envelope(
      ({ action }) =>
        action.type === 'root/terminalsChanged' && action.terminals.some((info) => exitCodeOf(info) === 7),
    );
    expect(await reasonFor(client, view.uri, { type: 'terminal/input', data: 'x' })).toContain('has ended');
    const killed = await TerminalView.open(client);
    killed.type('kill -9 $$\r');
    expect(await killed.until((state) => exitCodeOf(state))).toBe(137); // a signal gives a code too (OQ-86)
  });

  it('follows titles and folders that its program reports, and keeps a name that a client gave (B-282)', async () => {
    const view = await TerminalView.open(client);
    view.type("printf '\\033]0;a title\\007\\033]7;file://x/usr/a%%20b\\007\\033]1337;CurrentDir=/opt\\007 done\\n'\r");
    await view.until((state) => state.title === 'a title' && state.cwd === 'file:///opt');
    expect(view.text).toContain('\x1b]0;a title\x07\x1b]7;file://x/usr/a%20b\x07 done');
    await expect.poll(async () => (await listed())[0]?.title, PATIENT).toBe('a title');
    await client.act(view.uri, { type: 'terminal/titleChanged', title: 'mine' });
    expect(await listed()).toMatchObject([{ title: 'mine' }]);
    view.type("printf '\\033]2;other\\007'; echo af''ter\r");
    await view.untilText('after\r\n');
    expect(view.state.title).toBe('mine');
  });

  it('keeps UTF-8 whole and lets no more than needed wait', async () => {
    const view = await TerminalView.open(client);
    view.type("printf '\\303'; sleep 0.1; printf '\\251 \\360\\237'; sleep 0.1; printf '\\230\\200\\377|\\n'\r");
    await view.untilText('é 😀\ufffd|');
  });

  it('is cleared for everybody, and goes on', async () => {
    const view = await TerminalView.open(client);
    view.type('echo be""fore\r');
    await view.untilText('before\r\n');
    await client.act(view.uri, { type: 'terminal/cleared' });
    view.type('echo af""ter\r');
    await view.untilText('after\r\n');
    expect(view.text).not.toContain('before');
    expect((await client.subscribe<TerminalState>(view.uri)).content).toEqual(view.state.content);
  });

  it('ends when it is disposed of: its program, its place in the list, its channel (B-288, OQ-17)', async () => {
    const view = await TerminalView.open(client);
    view.type('echo pid $$; sleep 600\r');
    const pid = await view.until((state) => /pid (\d+)\r/.exec(JSON.stringify(state).replaceAll('\\r', '\r'))?.[1]);
    await client.request('disposeTerminal', { channel: view.uri });
    expect(await listed()).toEqual([]);
    expect(await client.refused('subscribe', { channel: view.uri })).toMatchObject({ code: -32008 });
    expect(await client.refused('disposeTerminal', { channel: view.uri })).toMatchObject({ code: -32008 });
    await expect.poll(() => isAlive(Number(pid)), PATIENT).toBe(false);
  });

  it('can be watched by anybody, who sees the same, input included (B-279, OQ-85)', async () => {
    const view = await TerminalView.open(client);
    const other = await host.client();
    const theirs = await TerminalView.watch(other, view.uri);
    view.type('echo to""gether\r');
    await theirs.untilText('together\r\n');
    const inputs = other.actionsOn(view.uri).filter(({ type }) => type === 'terminal/input');
    expect(inputs).toEqual([{ type: 'terminal/input', data: 'echo to""gether\r' }]);
    await view.untilText('together\r\n');
    await Promise.all([client.sync(), other.sync()]);
    expect(theirs.state.content).toEqual(view.state.content);
  });

  it('is replayed after a reconnect, but what was typed is not (OQ-85)', async () => {
    const view = await TerminalView.open(client);
    await view.until((state) => state.content.length > 0);
    const { clientId, clientSeq, lastSeen } = client;
    await client.close();
    const typist = await host.client();
    expect(await reasonFor(typist, view.uri, { type: 'terminal/input', data: 'x' })).toContain(clientId);
    const back = await host.reconnect({ clientId, clientSeq, lastSeen }, [view.uri]);
    back.client.dispatch(view.uri, { type: 'terminal/input', data: 'echo se""cret\r' });
    await back.client.until(
      () => back.client.envelopes.find(({ action }) => 'data' in action && String(action.data).includes('secret')),
      'the output',
    );
    await back.client.close();
    const again = await host.reconnect({ clientId, clientSeq: 100, lastSeen }, [view.uri]);
    const types = again.result.type === 'replay' ? again.result.actions.map(({ action }) => action.type) : [];
    expect(types).toContain('terminal/data');
    expect(types).not.toContain('terminal/input');
  });
});

describe('a terminal that cannot be had', () => {
  const refusal = (params: object) =>
    client.refused('createTerminal', {
      channel: `ahp-terminal:/${crypto.randomUUID()}`,
      claim: { kind: 'client', clientId: client.clientId },
      ...params,
    });

  it('is refused with a reason, and leaves nothing behind (OQ-83, OQ-108)', async () => {
    const view = await TerminalView.open(client);
    mkdirSync(join(host.workspace, 'sub'));
    writeFileSync(join(host.workspace, 'file'), '');
    const expected: [object, number][] = [
      [{ channel: view.uri }, -32010],
      [{ channel: 'ahp-chat:/x' }, -32602],
      [{ channel: 'ahp-terminal:/' }, -32602],
      [{ claim: { kind: 'client', clientId: 'somebody' } }, -32602],
      [{ claim: { kind: 'session', session: 'ahp-session:/none', chat: 'ahp-chat:/none' } }, -32001],
      [{ claim: { kind: 'nobody' } }, -32602],
      [{ claim: { kind: 'session' } }, -32602],
      [{ claim: { kind: 'client' } }, -32602],
      [{ claim: undefined }, -32602],
      [{ cols: 0 }, -32602],
      [{ rows: 1_000_000 }, -32602],
      [{ cols: -1 }, -32602],
      [{ cols: 1.5 }, -32602],
      [{ name: 'x'.repeat(10_000) }, -32602],
      [{ cwd: `${host.workspaceUri}/none` }, -32008],
      [{ cwd: `${host.workspaceUri}/file` }, -32008],
      [{ cwd: 'file:///etc' }, -32009],
      [{ cwd: 'https://example.com/' }, -32602],
      [{ cwd: 'nonsense' }, -32602],
    ];
    for (const [params, code] of expected) {
      const { code: actual, message } = await refusal(params);
      expect([params, actual]).toEqual([params, code]);
      expect(message).toMatch(/\w+ \w+/);
    }
    expect(await listed()).toHaveLength(1);
    expect((await refusal({ cwd: 'file:///etc' })).message).toContain('--root');
  });

  it('for lack of a shell or of the library says which and what to do', async () => {
    await host.dispose();
    await start({ shell: '/no/such/shell' });
    expect(await refusal({})).toMatchObject({ code: -32603, message: expect.stringContaining('/no/such/shell') });
    await host.dispose();
    const broken = () => {
      throw new Error('wrong ELF class');
    };
    await start({ ptys: nodePtys(broken) });
    expect(await refusal({})).toMatchObject({
      code: -32603,
      message: expect.stringContaining('install moorage again'),
    });
    expect(await listed()).toEqual([]);
  });

  it('changes of size or name that make no sense are rejected and change nothing', async () => {
    const view = await TerminalView.open(client);
    for (const action of [
      { type: 'terminal/resized', cols: 0, rows: 24 },
      { type: 'terminal/resized', cols: 80, rows: 1_000_000 },
      { type: 'terminal/resized', cols: 80 },
      { type: 'terminal/titleChanged', title: 'x'.repeat(1000) },
      { type: 'terminal/input', data: 'x'.repeat(1024 * 1024 + 1) },
      { type: 'terminal/input', data: 7 },
      { type: 'terminal/claimed', claim: { kind: 'nobody' } },
      { type: 'terminal/claimed', claim: { kind: 'session' } },
      { type: 'terminal/data', data: 'forged' },
      { type: 'terminal/exited', exitCode: 0 },
      { type: 'terminal/cwdChanged', cwd: 'file:///' },
      { type: 'terminal/commandDetectionAvailable' },
      { type: 'terminal/commandExecuted', commandId: 'c', commandLine: 'ls', timestamp: 1 },
      { type: 'terminal/commandFinished', commandId: 'c' },
      { type: 'chat/turnStarted' },
    ]) {
      expect(await reasonFor(client, view.uri, action)).toMatch(/\w+ \w+/);
    }
    expect(view.state).toMatchObject({ cols: 80, rows: 24, title: 'sh' });
    expect(view.text).not.toContain('forged');
  });
});

describe('a claim', () => {
  it('of a client keeps others from everything but watching (OQ-84, OQ-85)', async () => {
    const view = await TerminalView.open(client);
    const other = await host.client();
    const { session, chat } = await host.session(client);
    for (const action of [
      { type: 'terminal/input', data: 'x' },
      { type: 'terminal/resized', cols: 10, rows: 10 },
      { type: 'terminal/titleChanged', title: 'x' },
      { type: 'terminal/cleared' },
      { type: 'terminal/claimed', claim: { kind: 'client', clientId: other.clientId } },
      { type: 'terminal/claimed', claim: { kind: 'session', session, chat } },
    ]) {
      expect(await reasonFor(other, view.uri, action)).toContain(client.clientId);
    }
    expect(await other.refused('disposeTerminal', { channel: view.uri })).toMatchObject({ code: -32009 });
    const foreign = { kind: 'client', clientId: other.clientId };
    expect(await reasonFor(client, view.uri, { type: 'terminal/claimed', claim: foreign })).toContain('itself');
    const unknown = { kind: 'session', session: 'ahp-session:/none', chat: 'ahp-chat:/none' };
    expect(await reasonFor(client, view.uri, { type: 'terminal/claimed', claim: unknown })).toContain('no session');
  });

  it('outlives the connection of its client; then somebody else may dispose of it', async () => {
    const view = await TerminalView.open(client);
    const other = await host.client();
    await host.leave(client);
    expect(await reasonFor(other, view.uri, { type: 'terminal/input', data: 'x' })).toContain(client.clientId);
    await other.request('disposeTerminal', { channel: view.uri });
    expect(await other.refused('subscribe', { channel: view.uri })).toMatchObject({ code: -32008 });
  });

  it('of a session lets every client type, and can be narrowed, then taken (B-277, B-291, OQ-84)', async () => {
    const { session, chat } = await host.session(client);
    const inUse = { kind: 'session', session, chat, turnId: 't', toolCallId: 'c' };
    const view = await TerminalView.open(client, { claim: inUse });
    const other = await host.client();
    await other.subscribe(view.uri);
    await other.act(view.uri, { type: 'terminal/input', data: 'echo by""other\r' });
    await view.untilText('byother');
    const mine = { kind: 'client', clientId: other.clientId };
    expect(await reasonFor(other, view.uri, { type: 'terminal/claimed', claim: mine })).toContain('detach');
    const otherCall = { ...inUse, toolCallId: 'd' };
    expect(await reasonFor(other, view.uri, { type: 'terminal/claimed', claim: otherCall })).toContain('narrowed');
    const background = { kind: 'session', session, chat };
    expect(
      (await other.act(view.uri, { type: 'terminal/claimed', claim: background })).rejectionReason,
    ).toBeUndefined();
    // Of two that want it the first gets it (B-64).
    const theirs = { kind: 'client', clientId: client.clientId };
    const [first, second] = await Promise.all([
      other.act(view.uri, { type: 'terminal/claimed', claim: mine }),
      client.act(view.uri, { type: 'terminal/claimed', claim: theirs }),
    ]);
    expect([first, second].filter(({ rejectionReason }) => rejectionReason === undefined)).toHaveLength(1);
    await client.sync();
    const holder = first.rejectionReason === undefined ? mine : theirs;
    expect(view.state.claim).toEqual(holder);
    expect(await listed()).toMatchObject([{ claim: holder }]);
  });

  it('of a session ends the terminal with the session (OQ-88)', async () => {
    const { session, chat } = await host.session(client);
    const view = await TerminalView.open(client, { claim: { kind: 'session', session, chat } });
    const kept = await TerminalView.open(client);
    await client.request('disposeSession', { channel: session });
    expect((await listed()).map(({ resource }) => resource)).toEqual([kept.uri]);
    expect(await client.refused('subscribe', { channel: view.uri })).toMatchObject({ code: -32008 });
  });

  it('may name the folder of its session', async () => {
    mkdirSync(join(host.workspace, 'deep'));
    const { session, chat } = await host.session(client, { workingDirectories: [`${host.workspaceUri}/deep`] });
    const view = await TerminalView.open(client, { claim: { kind: 'session', session, chat } });
    view.type('pwd\r');
    await view.untilText(`${host.workspace}/deep\r\n`);
    expect(existsSync(join(host.workspace, 'deep'))).toBe(true);
  });
});

describe('the end of the host', () => {
  it('ends every program, also one that does not want to, and the next life knows of none', async () => {
    const view = await TerminalView.open(client);
    view.type("trap '' HUP; echo pid $$; sleep 600\r");
    const pid = await view.until((state) => /pid (\d+)\r/.exec(JSON.stringify(state).replaceAll('\\r', '\r'))?.[1]);
    const { clientId, clientSeq, lastSeen } = client;
    await host.restart();
    expect(isAlive(Number(pid))).toBe(false);
    const { result } = await host.reconnect({ clientId, clientSeq, lastSeen }, [ROOT_URI, view.uri]);
    expect(result).toMatchObject({ type: 'replay', missing: [view.uri] });
    const actions = result.type === 'replay' ? result.actions.map(({ action }) => action) : [];
    expect(actions).toContainEqual({ type: 'root/terminalsChanged', terminals: [] });
  });
});

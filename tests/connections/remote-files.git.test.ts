import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChangesetState, type ChatState, ROOT_URI, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approval, PATIENT, startTurn, turn, turnEnd } from '../support/actions.js';
import { run } from '../support/run-from-small-process.js';
import { TestHost, userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { workspacesIn } from '../support/workspaces.js';

/** VS Code 1.133 to 1.135 in a browser name a folder by the address of VS Code's own server, which is another port. */
const AUTHORITY = '127.0.0.1:7200';

let host: TestHost;
let ours: WireClient;
let vscode: WireClient;
let heard: string[];
beforeEach(async () => {
  host = new TestHost({ workspaces: workspacesIn });
  run('git', ['init', '-q', host.workspace]);
  writeFileSync(join(host.workspace, 'a b.txt'), 'text\n');
  await host.start();
  ours = await host.client({ subscriptions: [ROOT_URI] });
  vscode = await host.client({ subscriptions: [ROOT_URI], program: 'vscode-editor-window' });
  heard = [];
  vscode.socket.on('message', (data) => heard.push(data.toString()));
});
afterEach(() => host.dispose());

const remote = (path = '', authority = AUTHORITY) => `vscode-remote://${authority}${host.workspace}${path}`;
const file = (path = '') => host.workspaceUri + path;

/** A session that VS Code makes in the folder as it names it. */
function session() {
  return host.session(vscode, { workingDirectories: [remote()] }, `demo:/${crypto.randomUUID()}`);
}

/** A turn that writes a file, with the client's approval. */
async function writing(client: WireClient, chat: string, path: string): Promise<void> {
  const turnId = startTurn(client, chat, `/write ${path} text`);
  const { toolCallId } = await client.action(chat, 'chat/toolCallReady');
  client.dispatch(chat, approval(turnId, toolCallId));
  await turnEnd(client, chat, turnId);
}

describe('a VS Code that names files by its server (V-53)', () => {
  it('makes a session in a folder, and finds its own names everywhere, while others find theirs', async () => {
    const config = await vscode.request('resolveSessionConfig', {
      channel: ROOT_URI,
      provider: 'demo',
      workingDirectory: remote(),
    });
    expect(config.schema).toBeDefined();
    const { session: uri, chat } = await session();
    await writing(vscode, chat, 'new.txt');
    const { summary } = await vscode.notification('root/sessionAdded');
    expect(summary.workingDirectories).toEqual([remote()]);
    const { items } = await vscode.request('listSessions', { channel: ROOT_URI });
    expect(items).toMatchObject([{ workingDirectories: [remote()] }]);
    expect((await vscode.subscribe<SessionState>(uri)).workingDirectories).toEqual([remote()]);
    const changed = async (client: WireClient) =>
      (await client.subscribe<ChangesetState>(`${uri}/changeset/session`)).files.map(({ edit }) => edit.after?.uri);
    await expect.poll(() => changed(vscode), PATIENT).toEqual([remote('/new.txt')]);
    expect(heard.join('\n')).not.toMatch(/(?<!"id":)"file:/); // ids only look like URIs

    const theirs = await ours.request('listSessions', { channel: ROOT_URI });
    expect(theirs.items).toMatchObject([{ workingDirectories: [file()] }]);
    expect(await changed(ours)).toEqual([file('/new.txt')]);
  });

  it('reads, lists and watches files, and opens terminals', async () => {
    const uri = remote('/a%20b.txt');
    expect(await vscode.request('resourceRead', { channel: ROOT_URI, uri })).toMatchObject({ data: 'text\n' });
    const { entries } = await vscode.request('resourceList', { channel: ROOT_URI, uri: remote() });
    expect(entries.map(({ name }) => name)).toContain('a b.txt');
    const resolved = await vscode.request('resourceResolve', { channel: ROOT_URI, uri: remote('/./a%20b.txt') });
    expect(resolved.uri).toBe(uri);
    await vscode.request('resourceCopy', { channel: ROOT_URI, source: uri, destination: remote('/copy.txt') });
    const { channel } = await vscode.request('createResourceWatch', { channel: ROOT_URI, uri: remote() });
    expect(await vscode.subscribe(channel)).toMatchObject({ root: remote() });
    const terminal = 'ahp-terminal:/one';
    const claim = { kind: 'client', clientId: vscode.clientId } as const;
    await vscode.request('createTerminal', { channel: terminal, claim, cwd: remote() });
    expect(await vscode.subscribe(terminal)).toMatchObject({ cwd: remote() });
    await vscode.request('disposeTerminal', { channel: terminal });
  });

  it('attaches files that the agent and other clients know by their own names', async () => {
    const { session: uri, chat } = await session();
    await ours.subscribe<SessionState>(uri);
    await ours.subscribe(chat);
    const attached = (resource: string) => [{ type: 'resource' as const, label: 'a b.txt', uri: resource }];
    const echo = await vscode.act(chat, {
      type: 'chat/turnStarted',
      turnId: 'one',
      startedAt: '2026-01-01T00:00:00.000Z',
      message: { ...userMessage('/say hello'), attachments: attached(remote('/a%20b.txt')) },
    });
    expect(echo.action).toMatchObject({ message: { attachments: attached(remote('/a%20b.txt')) } });
    await turnEnd(ours, chat, 'one');
    const [ran] = (await ours.subscribe<ChatState>(chat)).turns;
    expect(ran?.message.attachments).toMatchObject(attached(file('/a%20b.txt')));
  });

  it('gets them again after a reconnect, also to a host that was restarted', async () => {
    const { session: uri, chat } = await session();
    await turn(vscode, chat, '/say listed from now on');
    await host.leave(vscode);
    await ours.request('createSession', {
      channel: host.newSessionUri(),
      provider: 'demo',
      workingDirectories: [file()],
    });
    await host.restart();
    const { client } = await host.reconnect(vscode, [ROOT_URI, uri, chat]);
    const { items } = await client.request('listSessions', { channel: ROOT_URI });
    expect(items.map(({ workingDirectories }) => workingDirectories)).toEqual([[remote()], [remote()]]);
  });

  it('means the same machine by any of its own addresses, and no other one', async () => {
    const read = (authority: string) => ({
      channel: ROOT_URI as typeof ROOT_URI,
      uri: remote('/a%20b.txt', authority),
    });
    for (const authority of ['localhost', 'localhost:8080', 'LOCALHOST:1', '[::1]:7200', '127.0.0.2:7200']) {
      expect(await vscode.request('resourceRead', read(authority))).toMatchObject({ data: 'text\n' });
    }
    for (const authority of [
      'box:7200',
      '10.0.0.1:7200',
      'ssh-remote+box',
      'wsl+ubuntu',
      'localhost.example.org',
      '127.0.0.1@box',
      '127.0.0.1:7200:1',
    ]) {
      const folder = { provider: 'demo', workingDirectories: [remote('', authority)] };
      const refusal = await vscode.refused('createSession', { channel: 'demo:/refused', ...folder });
      expect(refusal).toMatchObject({
        code: -32602,
        message: expect.stringContaining(`${authority} is not the machine`),
      });
      const { code } = await vscode.refused('resourceRead', read(authority));
      expect(code).toBe(-32602);
    }
    expect((await vscode.refused('subscribe', { channel: 'demo:/refused' })).code).toBe(-32001);
  });

  it('is confined to the roots, as by any other name', async () => {
    const outside = { channel: ROOT_URI, uri: `vscode-remote://${AUTHORITY}/etc/hostname` };
    expect((await vscode.refused('resourceRead', outside)).code).toBe(
      (await ours.refused('resourceRead', { channel: ROOT_URI, uri: 'file:///etc/hostname' })).code,
    );
    const above = { channel: ROOT_URI, uri: remote('/../../etc/hostname') };
    expect((await vscode.refused('resourceRead', above)).code).toBe(-32009);
  });

  it('is asked for what it publishes by the names that it gives it', async () => {
    const { session: uri } = await session();
    const published = { type: 'plugin' as const, uri: remote('/plugin'), name: 'Published', id: 'published' };
    const { action } = await vscode.act(uri, {
      type: 'session/activeClientSet',
      activeClient: { clientId: vscode.clientId, tools: [], customizations: [published] },
    });
    expect(action).toMatchObject({ activeClient: { customizations: [{ uri: remote('/plugin') }] } });
    const { activeClients } = await ours.subscribe<SessionState>(uri);
    expect(activeClients).toMatchObject([{ customizations: [{ uri: remote('/plugin') }] }]);
  });
});

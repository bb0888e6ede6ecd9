import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatState, SessionState } from '@moorage/protocol';
import { ROOT_URI } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AcpProvider } from '../../packages/agents/src/acp/provider.js';
import { scripted } from '../support/acp/scripted.js';
import { chatState, textOf, turn } from '../support/actions.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let folder: string;
let host: TestHost;
let client: WireClient;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-adopt-')));
});
afterEach(async () => {
  await host.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** A host with an agent that was used before, here and elsewhere. */
async function start(env: Record<string, string> = {}): Promise<void> {
  const state = join(folder, 'sessions.json');
  host = new TestHost({
    agents: () => [
      new AcpProvider(scripted({ env: { SCRIPTED_STATE: state, SCRIPTED_LISTS: '1', SCRIPTED_USERS: '1', ...env } })),
    ],
  });
  const sessions = {
    here: { cwd: host.workspace, heard: ['Paint it black', 'And the door'] },
    elsewhere: { cwd: '/elsewhere', heard: ['secret'] },
  };
  writeFileSync(state, JSON.stringify(sessions));
  await host.start();
  client = await host.client();
}

const place = () => ({ provider: 'scripted', workingDirectory: host.workspaceUri });
const list = async () =>
  (await client.request('moorage/listEarlierSessions', { channel: ROOT_URI, ...place() })).items.map(({ id }) => id);

describe('a session that an agent had without the host', () => {
  it('is listed for its folder only', async () => {
    await start();
    expect(await list()).toEqual(['here']);
  });

  it('is continued with what was said, by the agent that remembers it', async () => {
    await start();
    const channel = host.newSessionUri();
    await client.request('moorage/adoptSession', { channel, ...place(), id: 'here' });
    const session = await client.subscribe<SessionState>(channel);
    const chat = session.defaultChat ?? '';
    const { turns } = await client.subscribe<ChatState>(chat);
    expect(turns.map((one) => [one.message.text, textOf(one), one.state])).toEqual([
      ['Paint it black', '(replayed) Paint it black', 'complete'],
      ['And the door', '(replayed) And the door', 'complete'],
    ]);
    await turn(client, chat, '/recall');
    const after = await chatState(client, chat);
    expect(textOf(after.turns.at(-1))).toBe('I know: Paint it black | And the door | /recall'); // in its own session
    expect(after.turns).toHaveLength(3);
  });

  it('is no longer listed then, also after a restart, and is not continued twice', async () => {
    await start();
    const channel = host.newSessionUri();
    await client.request('moorage/adoptSession', { channel, ...place(), id: 'here' });
    expect(await list()).toEqual([]);
    const again = { channel: host.newSessionUri(), ...place(), id: 'here' };
    expect(await client.refused('moorage/adoptSession', again)).toMatchObject({ code: -32003 });
    await client.close();
    await host.restart();
    client = await host.client();
    expect(await list()).toEqual([]);
  });

  it('that the host itself began is not listed', async () => {
    await start();
    const { chat } = await host.session(client, { provider: 'scripted' });
    await turn(client, chat, '/say begun here');
    expect(await list()).toEqual(['here']);
  });

  it('is refused, and nothing is made, if it is unknown, elsewhere, or the agent cannot', async () => {
    await start();
    for (const id of ['unknown', 'elsewhere', '']) {
      const params = { channel: host.newSessionUri(), ...place(), id };
      expect(await client.refused('moorage/adoptSession', params)).toMatchObject({ code: -32008 });
    }
    const outside = { channel: ROOT_URI, provider: 'scripted', workingDirectory: 'file:///elsewhere' };
    expect((await client.refused('moorage/listEarlierSessions', outside)).code).toBeLessThan(0);
    const nobody = { channel: ROOT_URI, ...place(), provider: 'nobody' };
    expect(await client.refused('moorage/listEarlierSessions', nobody)).toMatchObject({ code: -32002 });
    const { items } = await client.request('listSessions', { channel: ROOT_URI });
    expect(items).toEqual([]);
  });

  it('cannot be listed if the agent has no list', async () => {
    await start({ SCRIPTED_LISTS: '' });
    const { message } = await client.refused('moorage/listEarlierSessions', { channel: ROOT_URI, ...place() });
    expect(message).toContain('does not list its sessions');
  });
});

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type SessionState, sessionUri } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { CHOSEN_AGENTS, scenario, useRealAgent, VERY_PATIENT } from '../support/acp/real-agent-rig.js';
import { chatState, startTurn, textOf, turn } from '../support/actions.js';
import { type HostProcess, startHostProcess } from '../support/host-process.js';
import { processesWith } from '../support/processes.js';
import { WireClient } from '../support/wire-client.js';

/** A host of its own process, because this one must go on. */
describe.each(CHOSEN_AGENTS)('$id', (agent) => {
  const rig = useRealAgent(agent);
  let folder = '';
  let host: HostProcess;
  let client: WireClient;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-killed-')));
  });
  afterEach(async () => {
    await client.close();
    await host.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<void> {
    const config = join(folder, 'config.jsonc');
    const { ownFiles: _ownFiles, trustEnv: _trustEnv, log: _log, ...program } = rig.configuration;
    writeFileSync(config, JSON.stringify({ agents: { [agent.id]: { type: 'acp', ...program } } }));
    host = await startHostProcess([
      ...['--config', config, '--data-dir', join(folder, 'data'), '--root', rig.host.workspace, '--no-web'],
    ]);
    client = await WireClient.connect({ url: host.url, token: host.token });
  }

  scenario(agent, 'host killed', async () => {
    await start();
    const session = sessionUri.format(crypto.randomUUID());
    const workingDirectories = [pathToFileURL(rig.host.workspace).href];
    await client.request('createSession', { channel: session, provider: agent.id, workingDirectories });
    const { defaultChat: chat = '', lifecycle } = await client.subscribe<SessionState>(session);
    if (lifecycle === 'creating') await client.action(session, 'session/ready');
    await client.subscribe(chat);
    await turn(client, chat, 'script:hello');
    const turnId = startTurn(client, chat, 'script:endless');
    await client.envelope(({ action }) => action.type === 'chat/delta' && action.turnId === turnId);
    await host.kill();
    await expect.poll(() => processesWith(rig.home), VERY_PATIENT).toEqual([]); // nothing of the agent is left
    await start();
    await client.subscribe(chat);
    await expect.poll(async () => (await chatState(client, chat)).turns.length, VERY_PATIENT).toBe(2);
    const lost = (await chatState(client, chat)).turns[1];
    expect(lost).toMatchObject({ state: 'error' });
    expect(textOf(lost)).toContain('word1 ');
    await turn(client, chat, 'script:hello');
    const { turns } = await chatState(client, chat);
    expect(turns.map(({ state }) => state)).toEqual(['complete', 'error', 'complete']);
    expect(textOf(turns[2])).toContain('Hello from the model.');
    expect(rig.model.heard().match(/script:hello/g)?.length).toBeGreaterThan(1); // it knows what was said before
  });
});

import { agentStatuses } from '@moorage/protocol';
import { expect, it } from 'vitest';
import { unconfiguredModelAgent } from '../../src/model/index.js';

it('without a model, the agent names a server of this machine and the command that adds it', async () => {
  const server = { name: 'ollama', models: ['tiny:1b'], command: 'moorage agents add local --url U --model tiny:1b' };
  const agent = unconfiguredModelAgent(async () => server);
  const status = () => agentStatuses({ agents: [agent.info] })[0];
  expect(status()).toMatchObject({ state: 'not configured' });
  expect(status()).not.toHaveProperty('command');
  await new Promise<void>((resolve) => agent.onInfoChanged?.(resolve));
  expect(status()).toMatchObject({ state: 'not configured', command: server.command });
  expect(status()?.description).toContain('ollama runs on this machine, with tiny:1b.');
  await agent.dispose();
});

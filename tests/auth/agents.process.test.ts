import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acpAgent } from '@moorage/agents/acp';
import { modelAgent } from '@moorage/agents/model';
import { AhpErrorCodes, ROOT_URI } from '@moorage/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { scripted } from '../support/acp/scripted.js';
import { chatState, endedIn, PATIENT, textOf, turn } from '../support/actions.js';
import { FakeModel } from '../support/fake-model.js';
import { processesWith } from '../support/processes.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const RESOURCE = 'https://protected.example/';
const TOKENS = { a: 'token-of-client-a-0123456789', b: 'token-of-client-b-0123456789' };

let host: TestHost;
const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  await host.dispose();
  for (const run of cleanUp.splice(0)) await run();
});

function authenticate(client: WireClient, token: string) {
  return client.request('authenticate', { channel: ROOT_URI, resource: RESOURCE, token });
}

async function lastTurn(client: WireClient, chat: string) {
  return (await chatState(client, chat)).turns.at(-1);
}

describe.each(['openai', 'anthropic'] as const)('a model behind a token, over the %s protocol', (api) => {
  it("is asked with the token of the turn's client; one that it refuses is asked for anew", async () => {
    const model = await FakeModel.start();
    cleanUp.push(() => model.close());
    const good = new Set<string | undefined>([`Bearer ${TOKENS.a}`, `Bearer ${TOKENS.b}`]);
    model.reply = ({ key }) =>
      good.has(key) ? { text: ['Welcome.'] } : { status: 401, message: `bad credentials: ${key}` };
    const { baseURL } = model;
    const auth = { resource: RESOURCE, authorizationServers: ['https://login.example/'], scopes: ['chat'] };
    host = await TestHost.start({
      agents: () => [modelAgent({ id: 'model', api, baseURL, models: ['m'], auth })],
    });
    const [a, b] = [await host.client(), await host.client()];
    const refused = await a.refused('createSession', { channel: host.newSessionUri(), provider: 'model' });
    const [needed] = (refused.data as { resources: object[] }).resources;
    expect([refused.code, needed]).toEqual([
      AhpErrorCodes.AuthRequired,
      {
        resource: RESOURCE,
        authorization_servers: ['https://login.example/'],
        scopes_supported: ['chat'],
        bearer_methods_supported: ['header'],
      },
    ]);
    await authenticate(a, TOKENS.a);
    await authenticate(b, TOKENS.b);
    const { session, chat } = await host.session(a, { provider: 'model' });
    await b.subscribe(chat);
    await turn(a, chat, 'one');
    await turn(b, chat, 'two');
    expect(model.requests.map(({ key }) => key)).toEqual([`Bearer ${TOKENS.a}`, `Bearer ${TOKENS.b}`]);
    expect(textOf(await lastTurn(b, chat))).toBe('Welcome.');

    good.delete(`Bearer ${TOKENS.a}`); // revoked
    await turn(a, chat, 'three');
    const failed = await lastTurn(b, chat);
    expect(failed).toMatchObject({ ...endedIn({ errorType: 'authRequired' }) });
    expect(JSON.stringify(failed)).toContain('bad credentials');
    expect(JSON.stringify(failed)).not.toContain(TOKENS.a);
    expect(await a.notification('auth/required')).toEqual({
      channel: session,
      resource: expect.objectContaining({ resource: RESOURCE }),
      reason: 'expired',
    });
    expect(b.notifications.filter(({ method }) => method === 'auth/required')).toEqual([]);

    const fresh = 'token-that-is-fresh-0123456789';
    good.add(`Bearer ${fresh}`);
    await authenticate(a, fresh);
    await turn(a, chat, 'four');
    expect(textOf(await lastTurn(a, chat))).toBe('Welcome.');
  });
});

describe('an ACP agent with a token', () => {
  it('gets it in its environment, and another process for another client', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'moorage-acp-auth-'));
    const mark = `mark-${crypto.randomUUID()}`;
    cleanUp.push(() => expect.poll(() => processesWith(mark), PATIENT).toEqual([]));
    cleanUp.push(() => rmSync(folder, { recursive: true, force: true }));
    const env = { MARK: mark, SCRIPTED_STATE: join(folder, 'sessions.json') };
    const auth = { resource: RESOURCE, tokenEnv: 'THE_PASS', required: false };
    host = await TestHost.start({ agents: () => [acpAgent(scripted({ env, auth }))] });
    const [a, b] = [await host.client(), await host.client()];
    const { chat } = await host.session(a, { provider: 'scripted' });
    await b.subscribe(chat);
    await turn(b, chat, '/env THE_PASS'); // it works without one, too
    expect(textOf(await lastTurn(a, chat))).toBe('THE_PASS=undefined');
    await authenticate(a, TOKENS.a);
    await authenticate(b, TOKENS.b);
    const processes = async (client: WireClient) => {
      await turn(client, chat, '/env HOME');
      return [processesWith(`THE_PASS=${TOKENS.a}`).length > 0, processesWith(`THE_PASS=${TOKENS.b}`).length > 0];
    };
    expect(await processes(a)).toEqual([true, false]);
    expect(await processes(b)).toEqual([false, true]);
  });
});

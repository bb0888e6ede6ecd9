import { ROOT_URI, type RootState, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let host: TestHost;
let ours: WireClient;
let foreign: WireClient;
beforeEach(async () => {
  host = await TestHost.start();
  ours = await host.client({ subscriptions: [ROOT_URI] });
  foreign = await host.client({ subscriptions: [ROOT_URI], program: 'vscode-editor-window' });
});
afterEach(() => host.dispose());

const rootValues = async () => (await ours.subscribe<RootState>(ROOT_URI)).config?.values;
const changes = (client: WireClient) => client.envelopes.filter(({ action }) => action.type === 'root/configChanged');

describe('settings of the host from a program of somebody else', () => {
  it('that are not declared are confirmed to the sender and told to nobody else (V-3)', async () => {
    const config = { telemetryLevel: 'off', workspaceTrust: { folders: [] } };
    const echo = await foreign.act(ROOT_URI, { type: 'root/configChanged', config });
    expect(echo).toMatchObject({ channel: ROOT_URI, action: { config }, origin: { clientId: foreign.clientId } });
    expect(echo.rejectionReason).toBeUndefined();
    await ours.sync();
    expect(changes(ours)).toEqual([]);
    expect(await rootValues()).toEqual({});
  });

  it('that are declared are applied without the rest, for everybody (V-3)', async () => {
    const config = { isolation: 'worktree', worktreeOnEnd: 'burn', telemetryLevel: 'off' };
    expect((await foreign.act(ROOT_URI, { type: 'root/configChanged', config })).rejectionReason).toBeUndefined();
    const { config: applied } = await ours.action(ROOT_URI, 'root/configChanged');
    expect(applied).toEqual({ isolation: 'worktree' });
    expect(await rootValues()).toEqual({ isolation: 'worktree' });
    await foreign.act(ROOT_URI, { type: 'root/configChanged', config: { telemetryLevel: 'off' }, replace: true });
    expect(await rootValues()).toEqual({ isolation: 'worktree' }); // nothing of ours was meant
  });

  it('that come seven at once with one clientSeq are each answered with their own action (V-49)', async () => {
    const sent = Array.from({ length: 7 }, (_, index) => ({
      type: 'root/configChanged',
      config: { [`theirs.${index}`]: index },
    }));
    for (const action of sent) foreign.peer.notify('dispatchAction', { channel: ROOT_URI, clientSeq: 0, action });
    await foreign.sync();
    expect(changes(foreign).map(({ action }) => action)).toEqual(sent);
    expect(changes(foreign).every(({ rejectionReason }) => rejectionReason === undefined)).toBe(true);
    expect(foreign.peer.closed).toBe(false);
  });

  it('are refused when they come from a program of ours that mistyped them (OQ-39)', async () => {
    const typo = await ours.act(ROOT_URI, { type: 'root/configChanged', config: { isolatoin: 'worktree' } });
    expect(typo.rejectionReason).toContain('unknown setting "isolatoin"');
  });
});

describe('settings of a session from a program of somebody else', () => {
  const create = (config: Record<string, unknown>) => ({
    channel: host.newSessionUri(),
    provider: 'demo',
    workingDirectory: host.workspaceUri,
    config,
  });

  it.each([
    { isolation: 'folder', autoApprove: 'default', mode: 'interactive' },
    { isolation: 'cloud', unheard: [1] },
    { isolation: 7 },
  ])('%j do not keep it from being created or resolved (V-41, V-27)', async (config) => {
    const params = create(config);
    await foreign.request('createSession', params);
    const { config: chosen } = await foreign.subscribe<SessionState>(params.channel);
    expect(Object.keys(config).filter((key) => key in (chosen?.values ?? {}) && key !== 'isolation')).toEqual([]);
    const { provider, workingDirectory } = params;
    const { values } = await foreign.request('resolveSessionConfig', {
      channel: ROOT_URI,
      provider,
      workingDirectory,
      config,
    });
    expect(values).not.toMatchObject({ isolation: config.isolation });
  });

  it('are refused when they come from a program of ours that mistyped them', async () => {
    expect(await ours.refused('createSession', create({ isolation: 'folder' }))).toMatchObject({ code: -32602 });
  });

  it('change what they can, keep what is fixed, and never fail (V-27, V-28)', async () => {
    const { session } = await host.session(foreign);
    const before = (await foreign.subscribe<SessionState>(session)).config;
    const config = { isolation: 'folder', autoApprove: 'default', mode: 'interactive' };
    for (const replace of [false, true]) {
      const echo = await foreign.act(session, { type: 'session/configChanged', config, replace });
      expect(echo.rejectionReason).toBeUndefined();
      expect(echo.action).toMatchObject({ config });
    }
    expect((await foreign.subscribe<SessionState>(session)).config).toEqual(before);
  });
});

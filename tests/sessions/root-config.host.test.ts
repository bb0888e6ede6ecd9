import { ROOT_URI, type RootState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FailingStore } from '../support/failing-store.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let host: TestHost;
let client: WireClient;
let disk: FailingStore;
beforeEach(async () => {
  disk = new FailingStore();
  host = await TestHost.start({ store: disk.wrap });
  client = await host.client();
});
afterEach(() => host.dispose({ expectErrors: /store\.commit-failed/ }));

const rootOf = (who: WireClient) => who.subscribe<RootState>(ROOT_URI);
const change = (config: object, replace?: boolean) =>
  client.act(ROOT_URI, { type: 'root/configChanged', config, ...(replace !== undefined && { replace }) });

describe('the settings of the host (B-97)', () => {
  it('are described, and have no values until somebody sets them', async () => {
    const { config } = await rootOf(client);
    expect(Object.keys(config?.schema.properties ?? {})).toEqual([
      'isolation',
      'worktreeOnEnd',
      'keepEndedSessionsDays',
      'keepUndoDays',
      'keepUndoMegabytes',
    ]);
    expect(config?.values).toEqual({});
  });

  it('are changed by any client, told to all, and there after a restart', async () => {
    const other = await host.client({ subscriptions: [ROOT_URI] });
    await rootOf(client);
    expect((await change({ isolation: 'worktree' })).rejectionReason).toBeUndefined();
    await other.action(ROOT_URI, 'root/configChanged', 1);
    expect((await change({ keepEndedSessionsDays: '7' })).rejectionReason).toBeUndefined();
    await host.restart();
    client = await host.client();
    expect((await rootOf(client)).config?.values).toEqual({ isolation: 'worktree', keepEndedSessionsDays: '7' });
    expect((await change({ worktreeOnEnd: 'keep' }, true)).rejectionReason).toBeUndefined();
    await host.restart();
    client = await host.client();
    expect((await rootOf(client)).config?.values).toEqual({ worktreeOnEnd: 'keep' });
  });

  it('reach a client that comes back to a later life of the host', async () => {
    await rootOf(client);
    await change({ isolation: 'worktree' });
    await host.restart();
    const { client: back, result } = await host.reconnect(client, [ROOT_URI]);
    if (result.type !== 'replay') throw new Error('expected a replay');
    const said = result.actions.filter(({ action }) => action.type === 'root/configChanged').at(-1)?.action;
    expect(said).toMatchObject({ config: { isolation: 'worktree' }, replace: true });
    await back.close();
  });

  it.each([
    [{ isolation: 'cloud' }, 'expected one of workspace, worktree'],
    [{ isolation: null }, 'expected string, got null'],
    [{ keepEndedSessionsDays: 7 }, 'expected string, got number'],
    [{ keepEndedSessionsDays: '100000' }, 'expected one of 1, 7, 30, 90, 365'],
    [{ unheard: 1 }, 'unknown setting "unheard"'],
    [{ constructor: 1 }, 'unknown setting "constructor"'],
    [{ isolation: 'worktree', unheard: 1 }, 'unknown setting "unheard"'],
  ])('refuse %j as a whole', async (config, reason) => {
    await rootOf(client);
    expect((await change(config)).rejectionReason).toContain(reason);
    expect((await rootOf(client)).config?.values).toEqual({});
  });

  it('that cannot be stored are not changed, and nobody is told', async () => {
    const other = await host.client({ subscriptions: [ROOT_URI] });
    await rootOf(client);
    disk.fail(({ documents = [] }) => documents.some(({ collection }) => collection === 'rootConfig'));
    expect((await change({ isolation: 'worktree' })).rejectionReason).toContain('could not store');
    disk.recover();
    expect((await rootOf(client)).config?.values).toEqual({});
    expect(other.actionsOn(ROOT_URI).filter(({ type }) => type === 'root/configChanged')).toEqual([]);
    expect((await change({ isolation: 'worktree' })).rejectionReason).toBeUndefined();
  });
});

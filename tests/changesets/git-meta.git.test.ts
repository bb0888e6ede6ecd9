import { join } from 'node:path';
import type { SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { turn } from '../support/actions.js';
import type { WireClient } from '../support/wire-client.js';
import { WorktreeBench } from '../support/worktree-bench.js';

/** What VS Code shows of the repository (V-33). */
describe('the `git` of a session', () => {
  let bench: WorktreeBench;
  let client: WireClient;
  beforeEach(async () => {
    bench = new WorktreeBench();
    await bench.host.start();
    client = await bench.host.client();
  });
  afterEach(() => bench.host.dispose());

  const shown = async (session: string) => (await client.subscribe<SessionState>(session))._meta?.git;
  const told = async (session: string) => (await client.action(session, 'session/metaChanged'))._meta?.git;

  it('has branch, base, upstream and what differs, and follows turns (V-33)', async () => {
    bench.makeRepository();
    bench.git('switch', '--quiet', '-c', 'feature', '--track', 'develop');
    bench.write('own.txt', 'own\n');
    bench.git('add', '.');
    bench.git('commit', '--quiet', '-m', 'own');
    bench.git('remote', 'add', 'origin', 'git@github.com:somebody/something.git');
    const { session, chat } = await bench.host.session(client);
    const first = {
      hasGitHubRemote: true,
      branchName: 'feature',
      baseBranchName: 'develop',
      upstreamBranchName: 'develop',
      incomingChanges: 0,
      outgoingChanges: 1,
    };
    expect(await told(session)).toMatchObject(first);
    await turn(client, chat, '/auto on\n/write made.txt one');
    expect(await shown(session)).toEqual({ ...first, uncommittedChanges: 1 });

    bench.git('commit', '--quiet', '--allow-empty', '-m', 'more');
    await turn(client, chat, '/say hello');
    expect(await shown(session)).toEqual({ ...first, outgoingChanges: 2, uncommittedChanges: 1 });
  });

  it('is current when somebody opens the session, without a turn', async () => {
    bench.makeRepository();
    const { session } = await bench.host.session(client);
    expect(await told(session)).toMatchObject({ branchName: 'main', hasGitHubRemote: false });
    client.peer.notify('unsubscribe', { channel: session });
    await client.sync();
    bench.git('switch', '--quiet', '--detach', 'develop');
    await client.subscribe(session);
    await client.envelope(
      ({ action }) => action.type === 'session/metaChanged' && !Object.hasOwn(action._meta?.git ?? {}, 'branchName'),
    );
    expect(await shown(session)).toMatchObject({ hasGitHubRemote: false, baseBranchName: 'origin/remote-only' });
  });

  it('is not there without a repository', async () => {
    const { session, chat } = await bench.host.session(client);
    await turn(client, chat, `/auto on\n/write made.txt ${join('a', 'b')}`);
    expect(await shown(session)).toBeUndefined();
  });
});

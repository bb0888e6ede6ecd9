import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT_URI } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitAll, gitIn } from '../support/repository.js';
import { userMessage } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { runTurn, WorktreeBench, type WorktreeSession, worktreeIn } from '../support/worktree-bench.js';

let bench: WorktreeBench;
let client: WireClient;
let before: ReturnType<WorktreeBench['traces']>;
beforeEach(async () => {
  bench = new WorktreeBench();
  bench.makeRepository();
  await bench.host.start();
  client = await bench.host.client({ subscriptions: [ROOT_URI] });
  before = bench.traces();
});
afterEach(() => bench.host.dispose());

const removable = (config: object = {}, params: object = {}) =>
  bench.session(client, { worktreeOnEnd: 'remove-if-clean', ...config }, params);

/** Ends a session and gives what its clients are told of the work tree. */
async function end({ session }: WorktreeSession): Promise<unknown> {
  await client.request('disposeSession', { channel: session });
  return worktreeIn(client, session);
}

/** Until the work that goes on after the answer has had its chance: a restart finishes or drops it. */
async function settled(): Promise<void> {
  await bench.host.restart();
  client = await bench.host.client({ subscriptions: [ROOT_URI] });
}

describe('a work tree of a session that ends', () => {
  it('is kept with its branch when nobody says otherwise', async () => {
    const made = await bench.session(client);
    expect(await end(made)).toEqual({
      path: made.path,
      branch: made.state.config?.values.branchName,
      kept: true,
      reason: 'the session is set to keep it',
    });
    await settled();
    expect(existsSync(join(made.path, 'README.md'))).toBe(true);
    expect(bench.traces().branches).toContain(made.state.config?.values.branchName);
  });

  it('goes with its branch when that is wanted and nothing is lost, and leaves the repository as it was', async () => {
    const made = await removable();
    mkdirSync(join(made.path, 'ignored'));
    writeFileSync(join(made.path, 'ignored', 'build.o'), 'made again any time');
    expect(await end(made)).toMatchObject({ kept: false });
    await expect.poll(() => bench.traces(), { timeout: 20_000 }).toEqual(before);
    expect(existsSync(join(bench.folder, '.git', 'worktrees'))).toBe(false);
    expect(bench.git('fsck', '--no-progress')).toBe('');
  });

  it('goes when its commits are in another branch, or on a remote', async () => {
    const merged = await removable({ branchName: 'merged' });
    writeFileSync(join(merged.path, 'a.txt'), 'a');
    gitIn(merged.path, 'add', '.');
    gitIn(merged.path, 'commit', '--quiet', '-m', 'a');
    bench.git('merge', '--quiet', '--ff-only', 'merged');
    expect(await end(merged)).toMatchObject({ kept: false });
    const pushed = await removable({ branchName: 'pushed' });
    gitIn(pushed.path, 'commit', '--quiet', '--allow-empty', '-m', 'b');
    bench.git('update-ref', 'refs/remotes/origin/pushed', 'refs/heads/pushed');
    expect(await end(pushed)).toMatchObject({ kept: false });
    await expect.poll(() => bench.traces(), { timeout: 20_000 }).toEqual(before);
  });

  it('follows what the session says when it ends', async () => {
    const made = await removable();
    const keep = { type: 'session/configChanged', config: { worktreeOnEnd: 'keep' } };
    expect((await client.act(made.session, keep)).rejectionReason).toBeUndefined();
    expect(await end(made)).toMatchObject({ kept: true });
    await settled();
    expect(existsSync(made.path)).toBe(true);
  });
});

describe('is kept, and said to be,', () => {
  type Case = [string, (path: string, branch: string) => void, string];
  const cases: Case[] = [
    ['with a file that is new', (path) => writeFileSync(join(path, 'new.txt'), ''), 'one file is not committed'],
    ['with a file that changed', (path) => writeFileSync(join(path, 'README.md'), 'x'), 'not committed'],
    [
      'with something staged',
      (path) => {
        writeFileSync(join(path, 'README.md'), 'x');
        gitIn(path, 'add', '.');
      },
      'not committed',
    ],
    ['with commits of its own', (path) => gitIn(path, 'commit', '--allow-empty', '-qm', 'mine'), 'nowhere else'],
    [
      'with commits that no branch holds',
      (path) => {
        gitIn(path, 'switch', '--quiet', '--detach');
        gitIn(path, 'commit', '--allow-empty', '-qm', 'loose');
      },
      'nowhere else',
    ],
    [
      'with commits on its branch while another is checked out in it',
      (path) => {
        gitIn(path, 'commit', '--allow-empty', '-qm', 'mine');
        gitIn(path, 'switch', '--quiet', '--detach', 'main');
      },
      'nowhere else',
    ],
    ...['skip-worktree', 'assume-unchanged'].map(
      (mark): Case => [
        `with a change in a file that is marked ${mark}`,
        (path) => {
          gitIn(path, 'update-index', `--${mark}`, 'README.md');
          writeFileSync(join(path, 'README.md'), 'x');
        },
        'git is told not to look at README.md',
      ],
    ),
    [
      'with a repository in a folder that is ignored',
      (path) => {
        mkdirSync(join(path, 'ignored', 'deep', 'tool'), { recursive: true });
        commitAll(join(path, 'ignored', 'deep', 'tool'));
      },
      'ignored/deep/tool is a repository of its own',
    ],
    [
      'with a bare repository in a folder that is ignored',
      (path) => gitIn(path, 'init', '-q', '--bare', 'ignored/tool.git'),
      'ignored/tool.git is a repository of its own',
    ],
    [
      'with commits that its branch had',
      (path) => {
        gitIn(path, 'commit', '--allow-empty', '-qm', 'mine');
        gitIn(path, 'reset', '-q', '--hard', 'HEAD^');
      },
      'only in the reflog',
    ],
    [
      'with commits that it had on no branch',
      (path, branch) => {
        gitIn(path, 'switch', '--quiet', '--detach');
        gitIn(path, 'commit', '--allow-empty', '-qm', 'loose');
        gitIn(path, 'switch', '--quiet', branch);
      },
      'only in the reflog',
    ],
    ['when it is locked', (path) => gitIn(path, 'worktree', 'lock', path), 'locked'],
    ['in a merge', (path) => gitIn(path, 'merge', '--no-commit', '--no-ff', '-q', 'develop'), 'a merge is in progress'],
  ];
  it.each(cases)('%s', async (_name, change, reason) => {
    const made = await removable();
    change(made.path, String(made.state.config?.values.branchName));
    const status = gitIn(made.path, 'status', '--porcelain', '--branch');
    const head = gitIn(made.path, 'rev-parse', 'HEAD');
    const reflog = gitIn(made.path, 'reflog');
    expect(await end(made)).toMatchObject({ kept: true, reason: expect.stringContaining(reason), path: made.path });
    await settled();
    expect(gitIn(made.path, 'status', '--porcelain', '--branch')).toBe(status);
    expect(gitIn(made.path, 'rev-parse', 'HEAD')).toBe(head);
    expect(gitIn(made.path, 'reflog')).toBe(reflog);
  });

  it('with what an agent was still writing when the session ended', async () => {
    const made = await removable();
    const message = userMessage('/auto on\n/write late.txt saved\n/wait 600000');
    client.dispatch(made.chat, {
      type: 'chat/turnStarted',
      startedAt: '2026-01-01T00:00:00.000Z',
      turnId: 'busy',
      message,
    });
    await expect.poll(() => existsSync(join(made.path, 'late.txt')), { timeout: 20_000 }).toBe(true);
    expect(await end(made)).toMatchObject({ kept: true });
    await settled();
    expect(existsSync(join(made.path, 'late.txt'))).toBe(true);
  });

  it.each([
    ['', (path: string) => pathToFileURL(path).href],
    [' that names it with other escapes', (path: string) => pathToFileURL(path).href.replaceAll('e', '%65')],
    [
      ' that names it by a link',
      (path: string) => {
        symlinkSync(path, join(bench.folder, 'ignored'));
        return pathToFileURL(join(bench.folder, 'ignored')).href;
      },
    ],
  ])('while another session works in it%s', async (_how, uriOf) => {
    const made = await removable();
    await runTurn(client, made.chat, '/say hello');
    const workingDirectory = uriOf(made.path).replace('fil%65:', 'file:');
    const other = await bench.host.session(client, { workingDirectories: [workingDirectory] });
    expect(await end(made)).toMatchObject({ kept: true, reason: 'another session works in it' });
    await client.request('disposeSession', { channel: other.session });
    await settled();
    expect(existsSync(made.path)).toBe(true);
  });
});

it('a fork works on in the work tree, for the same project', async () => {
  const made = await removable();
  const turnId = await runTurn(client, made.chat, '/say hello');
  const channel = bench.host.newSessionUri();
  await client.request('createSession', { channel, _meta: { 'moorage.fork': { session: made.session, turnId } } });
  const fork = await client.subscribe<typeof made.state>(channel);
  expect(fork.workingDirectories?.[0]).toBe(made.state.workingDirectories?.[0]);
  expect(fork.project).toEqual(made.state.project);
  expect(await end(made)).toMatchObject({ kept: true });
});

it('two requests to end a session end it once', async () => {
  const made = await removable();
  const params = { channel: made.session };
  const answers = await Promise.allSettled([
    client.request('disposeSession', params),
    client.request('disposeSession', params),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  await client.sync();
  expect(client.received.filter((method) => method === 'root/sessionRemoved')).toHaveLength(1);
  await expect.poll(() => bench.traces(), { timeout: 20_000 }).toEqual(before);
});

it('a work tree that somebody removed by hand is forgotten', async () => {
  const made = await removable();
  bench.git('worktree', 'remove', '--force', made.path);
  expect(await end(made)).toMatchObject({ kept: false });
  await expect.poll(() => bench.traces(), { timeout: 20_000 }).toEqual(before);
});

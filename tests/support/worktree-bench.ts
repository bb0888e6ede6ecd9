import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gitWorktrees } from '@moorage/host';
import type { ErrorInfo, SessionState } from '@moorage/protocol';
import { gitIn } from './repository.js';
import { TestHost, type TestHostOptions, userMessage } from './test-host.js';
import type { WireClient } from './wire-client.js';
import { workspacesIn } from './workspaces.js';

/** A host that can make work trees, on a repository with some branches. */
export class WorktreeBench {
  readonly host: TestHost;

  constructor(options: TestHostOptions = {}) {
    this.host = new TestHost({
      workspaces: workspacesIn,
      worktrees: (folder) => gitWorktrees({ directory: join(folder, 'worktrees') }),
      ...options,
    });
  }

  get folder(): string {
    return this.host.workspace;
  }

  /** Two commits on main, `develop` one ahead of it, and `origin/remote-only`. */
  makeRepository(): void {
    this.git('init', '--quiet', '--initial-branch=main');
    this.write('README.md', 'one\n');
    this.write('packages/app/index.js', 'app\n');
    this.write('.gitignore', 'ignored/\n');
    this.git('add', '.');
    this.git('commit', '--quiet', '-m', 'start');
    this.git('switch', '--quiet', '-c', 'develop');
    this.write('develop.txt', 'develop\n');
    this.git('add', '.');
    this.git('commit', '--quiet', '-m', 'develop');
    this.git('update-ref', 'refs/remotes/origin/remote-only', 'HEAD');
    this.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/remote-only');
    this.git('switch', '--quiet', 'main');
  }

  git(...args: string[]): string {
    return gitIn(this.folder, ...args);
  }

  write(path: string, text: string): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** What git and the disk know of work trees, and the branches. */
  traces(): { worktrees: string[]; onDisk: string[]; branches: string[] } {
    return tracesOf(this.folder, join(this.host.folder, 'worktrees'));
  }

  /** A session in a work tree, ready. */
  async session(client: WireClient, config: object = {}, params: object = {}): Promise<WorktreeSession> {
    const { channel: session = this.host.newSessionUri() } = params as { channel?: string };
    await client.request('createSession', {
      channel: session,
      provider: 'demo',
      workingDirectories: [this.host.workspaceUri],
      config: { isolation: 'worktree', ...config },
      ...params,
    });
    const state = await client.subscribe<SessionState>(session);
    if (state.lifecycle === 'creating') await client.action(session, 'session/ready');
    const { changesets } = await client.subscribe<SessionState>(session);
    if (!changesets) await client.action(session, 'session/changesetsChanged');
    const now = await client.subscribe<SessionState>(session);
    const chat = now.defaultChat ?? '';
    await client.subscribe(chat);
    return { session, chat, state: now, path: fileURLToPath(now.workingDirectories?.[0] ?? '') };
  }

  /** Creates a session that must fail, and gives the reason. */
  async failing(client: WireClient, config: object, params: object = {}): Promise<ErrorInfo> {
    const channel = this.host.newSessionUri();
    const workingDirectory = this.host.workspaceUri;
    const wanted = { isolation: 'worktree', ...config };
    await client.request('createSession', {
      channel,
      provider: 'demo',
      workingDirectories: [workingDirectory],
      config: wanted,
      ...params,
    });
    const state = await client.subscribe<SessionState>(channel);
    if (state.creationError) return state.creationError;
    return (await client.action(channel, 'session/creationFailed')).error;
  }
}

export interface WorktreeSession {
  readonly session: string;
  readonly chat: string;
  readonly state: SessionState;
  /** Where it works. */
  readonly path: string;
}

export function tracesOf(repository: string, directory: string) {
  const listed = gitIn(repository, 'worktree', 'list', '--porcelain').split('\n');
  return {
    worktrees: listed.filter((line) => line.startsWith('worktree ')).map((line) => line.slice('worktree '.length)),
    onDisk: readdirSync(directory),
    branches: gitIn(repository, 'for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n'),
  };
}

let turns = 0;
/** Runs a script of the demo agent, without questions. */
export async function runTurn(client: WireClient, chat: string, script: string): Promise<string> {
  const turnId = `worktree-turn-${++turns}`;
  client.dispatch(chat, {
    type: 'chat/turnStarted',
    startedAt: '2026-01-01T00:00:00.000Z',
    turnId,
    message: userMessage(`/auto on\n${script}`),
  });
  await client.envelope(
    (e) => e.channel === chat && e.action.type === 'chat/turnComplete' && e.action.turnId === turnId,
  );
  return turnId;
}

/** What the clients of a session are told of its work tree; `count` waits for that many times. */
export async function worktreeIn(client: WireClient, session: string, count = 1): Promise<unknown> {
  let left = count;
  const { action } = await client.envelope(
    ({ channel, action }) =>
      channel === session &&
      action.type === 'session/metaChanged' &&
      action._meta?.['moorage.worktree'] !== undefined &&
      --left === 0,
  );
  return action.type === 'session/metaChanged' && action._meta?.['moorage.worktree'];
}

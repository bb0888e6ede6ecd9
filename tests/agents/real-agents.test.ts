import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acpAgent } from '@ahpd/agents/acp';
import { gitWorkspaces, nodeClock } from '@ahpd/host';
import type { ChangesetState, ChatState, SessionState } from '@ahpd/protocol';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeModel, startFakeModel } from '../support/acp/fake-model/fake-model.js';
import { install, REAL_AGENTS } from '../support/acp/real-agents.js';
import { processesWith } from '../support/acp/scripted.js';
import { accepted, callsOf, chatState, PATIENT, startTurn, textOf, turn, turnEnd } from '../support/actions.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

/** Which to run: all, or those that AGENTS names, with commas between. */
const chosen = REAL_AGENTS.filter(({ id }) => !process.env.AGENTS || process.env.AGENTS.split(',').includes(id));

describe.each(chosen)('$id', (agent) => {
  let home: string;
  let modules: string;
  let model: FakeModel;
  let host: TestHost;
  let client: WireClient;
  let other: WireClient;
  let session: string;
  let chat: string;

  beforeAll(async () => {
    modules = await install(agent);
  }, 10 * 60_000);
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'ahpd-real-agent-'));
    const workspaces = (data: string) =>
      gitWorkspaces({ directory: join(data, 'workspaces'), clock: nodeClock, log: { write: () => {} } });
    const place = {
      home,
      modules,
      get model() {
        return model.url;
      },
    };
    host = new TestHost({
      get agents() {
        return [acpAgent({ id: agent.id, ...agent.configure(place) })];
      },
      workspaces,
    });
    writeFileSync(join(host.workspace, 'README.md'), 'first line\nold line\nlast line\n');
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', host.workspace, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args]);
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'start');
    model = await startFakeModel(host.workspace);
    await host.start();
    await watch();
    ({ session, chat } = await host.session(client, { provider: agent.id }));
    await other.subscribe(chat);
  });
  afterEach(async () => {
    await host.dispose();
    await model.close();
    expect(model.errors).toEqual([]);
    // Nothing of the agent is left, whatever it had started.
    await expect.poll(() => processesWith(home), PATIENT).toEqual([]);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  afterAll(() => expect(chosen.length).toBeGreaterThan(0));

  async function watch() {
    client = await host.client();
    other = await host.client();
  }

  /** What both clients see. */
  async function seen(): Promise<ChatState> {
    await client.sync();
    await other.sync();
    expect(other.actionsOn(chat)).toEqual(client.actionsOn(chat));
    return chatState(client, chat);
  }

  const open = new Set<string>();
  /** Answers whatever is asked in a turn until it ends. */
  async function answering(turnId: string, approved: boolean) {
    const answer = (toolCallId: string) => {
      if (open.has(toolCallId)) return;
      open.add(toolCallId);
      const decision = approved ? { approved, confirmed: 'user-action' } : { approved, reason: 'denied' };
      other.dispatch(chat, { type: 'chat/toolCallConfirmed', turnId, toolCallId, ...decision });
    };
    let at = 0;
    return other.until(() => {
      for (; at < other.envelopes.length; at++) {
        const { channel, action } = other.envelopes[at] ?? {};
        if (channel !== chat || !action) continue;
        if (action.type === 'chat/toolCallReady' && !action.confirmed) answer(action.toolCallId);
        const isEnd = ['chat/turnComplete', 'chat/turnCancelled', 'chat/error'].includes(action.type);
        if (isEnd && 'turnId' in action && action.turnId === turnId) return action;
      }
      return undefined;
    }, 'the end of the turn');
  }

  async function asked(): Promise<{ toolCallId: string }> {
    const envelope = await client.envelope(({ action }) => action.type === 'chat/toolCallReady' && !action.confirmed);
    return envelope.action as { toolCallId: string };
  }

  it('greets', async () => {
    await turn(client, chat, 'script:hello');
    const { turns } = await seen();
    expect(turns[0]).toMatchObject({ state: 'complete', usage: { outputTokens: expect.any(Number) } });
    expect(textOf(turns[0])).toContain('Hello from the model.');
  });

  it('edits a file that the user allows it to, and the changeset shows it', async () => {
    const turnId = startTurn(client, chat, 'script:edit');
    expect(await answering(turnId, true)).toMatchObject({ type: 'chat/turnComplete' });
    expect(readFileSync(join(host.workspace, 'README.md'), 'utf8')).toBe('first line\nnew line\nlast line\n');
    const { turns } = await seen();
    expect(textOf(turns[0])).toContain('It is changed.');
    const edits = callsOf(turns[0]?.responseParts).flatMap((call) =>
      call.status === 'completed' ? (call.content ?? []).filter(({ type }) => type === 'fileEdit') : [],
    );
    expect(edits).toMatchObject([{ before: {}, after: {}, diff: { added: 1, removed: 1 } }]);
    const { changesets } = await client.subscribe<SessionState>(session);
    const template = changesets?.find(({ uriTemplate }) => uriTemplate.includes('{turnId}'))?.uriTemplate ?? '';
    const uri = template.replace('{turnId}', turnId);
    await expect
      .poll(async () => (await client.subscribe<ChangesetState>(uri)).files.map(({ id }) => id), PATIENT)
      .toEqual([expect.stringContaining('README.md')]);
  });

  it('leaves alone what the user does not allow', async () => {
    const turnId = startTurn(client, chat, 'script:write');
    await answering(turnId, false);
    expect(existsSync(join(host.workspace, 'hello.txt'))).toBe(false);
    const [call] = callsOf((await seen()).turns[0]?.responseParts);
    expect(call).toMatchObject({ status: 'cancelled', reason: 'denied' });
  });

  it('stops while it streams, and goes on with the next message', async () => {
    const turnId = startTurn(client, chat, 'script:endless');
    await client.action(chat, 'chat/delta', 3);
    await accepted(client, chat, { type: 'chat/turnCancelled', turnId });
    await turn(client, chat, 'script:hello');
    const { turns } = await seen();
    expect(turns.map(({ state }) => state)).toEqual(['cancelled', 'complete']);
    expect(textOf(turns[1])).toContain('Hello from the model.');
  });

  it('stops while a command runs, and the command ends', async () => {
    const turnId = startTurn(client, chat, 'script:sleep');
    void answering(turnId, true);
    const running = () => processesWith('sleep 600').filter((pid) => processesWith(home).includes(pid));
    await expect.poll(() => running().length, PATIENT).toBeGreaterThan(0);
    await accepted(client, chat, { type: 'chat/turnCancelled', turnId });
    await expect.poll(running, PATIENT).toEqual([]);
    await turn(client, chat, 'script:hello');
    expect((await seen()).turns.map(({ state }) => state)).toEqual(['cancelled', 'complete']);
  });

  it('stops while it asks for permission', async () => {
    const turnId = startTurn(client, chat, 'script:write');
    await asked();
    await accepted(client, chat, { type: 'chat/turnCancelled', turnId });
    await turn(client, chat, 'script:hello');
    expect(existsSync(join(host.workspace, 'hello.txt'))).toBe(false);
    expect((await seen()).turns.map(({ state }) => state)).toEqual(['cancelled', 'complete']);
  });

  it('works in two chats at once', async () => {
    const second = host.newChatUri();
    await client.request('createChat', { channel: session, chat: second });
    await client.subscribe(second);
    const first = startTurn(client, chat, 'script:write');
    const last = startTurn(client, second, 'script:hello');
    expect(await turnEnd(client, second, last)).toEqual({ type: 'chat/turnComplete', turnId: last });
    expect(textOf((await chatState(client, second)).turns[0])).toContain('Hello from the model.');
    expect(await answering(first, true)).toMatchObject({ type: 'chat/turnComplete' });
    expect(readFileSync(join(host.workspace, 'hello.txt'), 'utf8')).toBe('hi\n');
  });

  it('that is killed fails its turn, and is there again for the next', async () => {
    const turnId = startTurn(client, chat, 'script:endless');
    await client.action(chat, 'chat/delta', 3);
    for (const pid of processesWith(home)) killed(pid);
    expect(await turnEnd(client, chat, turnId)).toMatchObject({ error: { errorType: 'agentExited' } });
    await turn(client, chat, 'script:hello');
    expect(textOf((await seen()).turns[1])).toContain('Hello from the model.');
  });

  it('goes on after a restart of the host, with its own session', async () => {
    await turn(client, chat, 'script:hello');
    await host.restart();
    await watch();
    await client.subscribe(chat);
    await other.subscribe(chat);
    await turn(client, chat, 'script:hello');
    const { turns } = await seen();
    expect(textOf(turns[1])).toContain('Hello from the model.');
    expect(turns[1]?.responseParts.filter(({ kind }) => kind === 'systemNotification')).toEqual([]);
  });

  it('says that the model refused', async () => {
    const turnId = await turn(client, chat, 'script:refused');
    await turnEnd(client, chat, turnId);
    expect(JSON.stringify((await seen()).turns[0])).toMatch(/refuses/);
  });
});

function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended in this moment.
  }
}

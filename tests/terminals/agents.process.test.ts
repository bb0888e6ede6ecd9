import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { demoAgent } from '@moorage/agents/demo';
import { type AgentTerminal, type AgentTurn, nodePtys, type Ptys } from '@moorage/host';
import { ROOT_URI, type RootState, type ToolCallState } from '@moorage/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { accepted, approval, callsOf, chatState, PATIENT, startTurn, turn, turnEnd } from '../support/actions.js';
import { exitCodeOf } from '../support/exit-code.js';
import { isAlive } from '../support/processes.js';
import { TerminalView } from '../support/terminals.js';
import { stopped, testAgent } from '../support/test-agent.js';
import { TestHost, type TestHostOptions } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let host: TestHost;
let client: WireClient;
let session: string;
let chat: string;
async function start(options: TestHostOptions = {}, provider = 'demo') {
  host = await TestHost.start(options);
  client = await host.client({ subscriptions: [ROOT_URI] });
  ({ session, chat } = await host.session(client, { provider }));
}
afterEach(() => host.dispose());

const listed = async () => (await client.subscribe<RootState>(ROOT_URI)).terminals ?? [];

/** The terminal that a running tool call shows. */
async function shownTerminal(): Promise<string> {
  const { content } = await client.action(chat, 'chat/toolCallContentChanged');
  const shown = content.find((block) => block.type === 'terminal');
  if (shown?.type !== 'terminal') throw new Error('the call shows no terminal');
  return shown.resource;
}

const lastCall = async (): Promise<ToolCallState | undefined> =>
  callsOf((await chatState(client, chat)).turns.at(-1)?.responseParts).at(-1);

it('a terminal that cannot be killed at the end of a turn does not prevent the next turn', async () => {
  let isBroken = false;
  const real = nodePtys();
  const ptys: Ptys = {
    spawn: (options) => {
      const pty = real.spawn(options);
      const kill = () => {
        pty.kill();
        if (isBroken) throw new Error('as asked');
      };
      return new Proxy(pty, { get: (target, key) => (key === 'kill' ? kill : Reflect.get(target, key).bind(target)) });
    },
  };
  const prompt = async (run: AgentTurn) => {
    if (run.message.text !== 'fail') return undefined;
    await run.createTerminal({ command: 'sleep 60' });
    isBroken = true;
    return { kind: 'error', error: { errorType: 'test', message: 'as asked' } } as const;
  };
  await start({ agents: [testAgent({ prompt })], terminals: { ptys } }, 'test');
  expect(await turnEnd(client, chat, startTurn(client, chat, 'fail'))).toMatchObject({
    part: { error: { errorType: 'test' } },
  });
  const next = await turnEnd(client, chat, startTurn(client, chat, 'next'));
  expect(next.type).toBe('chat/turnComplete');
  isBroken = false;
});

for (const isolation of ['none', 'process'] as const) {
  describe(`a command of the demo agent (isolation ${isolation})`, () => {
    it('waits for the user, runs in a terminal that can be watched, and ends with its output (B-178, B-291)', async () => {
      await start({ agents: [demoAgent({ isolation })] });
      const turnId = startTurn(client, chat, '/run read line; echo "got $line" | tee made; exit 3');
      const { toolCallId } = await client.action(chat, 'chat/toolCallReady');
      expect(await listed()).toEqual([]);
      await accepted(client, chat, approval(turnId, toolCallId));
      const uri = await shownTerminal();
      const claim = { kind: 'session', session, chat, turnId, toolCallId };
      expect(await listed()).toMatchObject([{ resource: uri, claim }]);
      const view = await TerminalView.watch(client, uri);
      expect(view.commands).toMatchObject([{ isComplete: false }]);
      view.type('hello\r');
      await turnEnd(client, chat, turnId);
      const call = await lastCall();
      expect(call).toMatchObject({ status: 'completed', success: false, error: { code: 'exitCode' } });
      const content = call?.status === 'completed' ? call.content : [];
      expect(content).toMatchObject([{ type: 'terminal', resource: uri }, { type: 'text' }]);
      expect(JSON.stringify(content)).toContain('got hello');
      expect(readFileSync(join(host.workspace, 'made'), 'utf8')).toBe('got hello\n');
      await view.until((state) => exitCodeOf(state) === 3 && state.claim.kind === 'session' && !state.claim.turnId);
      expect(view.commands).toMatchObject([{ exitCode: 3, isComplete: true }]);
      expect(view.state.claim).toEqual({ kind: 'session', session, chat });
    });

    it('ends when the turn is cancelled', async () => {
      await start({ agents: [demoAgent({ isolation })] });
      const turnId = startTurn(client, chat, '/auto on\n/run echo pid $$; sleep 600');
      const view = await TerminalView.watch(client, await shownTerminal());
      const pid = await view.until(() => /pid (\d+)/.exec(view.text)?.[1]);
      await accepted(client, chat, { type: 'chat/turnCancelled', duration: 0, turnId });
      await view.until((state) => exitCodeOf(state) !== undefined);
      await expect.poll(() => isAlive(Number(pid)), PATIENT).toBe(false);
      expect(view.state.claim).toEqual({ kind: 'session', session, chat });
    });

    it('goes on in the background when a client detaches it, and the call completes (B-291)', async () => {
      await start({ agents: [demoAgent({ isolation })] });
      const turnId = startTurn(client, chat, '/auto on\n/run echo serving; read line; echo "later $line"');
      const view = await TerminalView.watch(client, await shownTerminal());
      await view.untilText('serving');
      await accepted(client, view.uri, { type: 'terminal/claimed', claim: { kind: 'session', session, chat } });
      expect(await turnEnd(client, chat, turnId)).toMatchObject({ type: 'chat/turnComplete' });
      expect(await lastCall()).toMatchObject({ status: 'completed', success: true });
      expect(exitCodeOf(view.state)).toBeUndefined();
      const mine = { kind: 'client', clientId: client.clientId };
      await accepted(client, view.uri, { type: 'terminal/claimed', claim: mine });
      view.type('input\r');
      await view.untilText('later input');
    });
  });
}

describe('the terminals of tool calls', () => {
  it('end with their session, and only the last that have ended are kept', async () => {
    await start();
    await turn(client, chat, `/auto on\n${'/run true\n'.repeat(13)}`);
    const kept = await listed();
    expect(kept).toHaveLength(10);
    expect(kept.every((info) => exitCodeOf(info) === 0)).toBe(true);
    await client.request('disposeSession', { channel: session });
    expect(await listed()).toEqual([]);
  });

  it('can be used as an agent needs them: output, exit, kill, programs with arguments, environment, folder', async () => {
    const seen: unknown[] = [];
    const agent = testAgent({
      prompt: async (turn) => {
        const toolCallId = 'call';
        turn.emit({ kind: 'toolCallStart', toolCallId, toolName: 'run', displayName: 'Run' });
        turn.emit({ kind: 'toolCallRunning', toolCallId, invocationMessage: 'Run' });
        const args = ['%s|%s\\n', 'a b', '$HOME'];
        const program = await turn.createTerminal({ toolCallId, command: 'printf', args });
        seen.push(await program.wait(), program.output());
        const env = await turn.createTerminal({ command: 'echo $X; pwd', env: { X: 'y' }, cwd: host.workspace });
        seen.push(await env.wait(), env.output().output);
        const limited = await turn.createTerminal({ command: 'seq 1000', outputLimit: 10 });
        await limited.wait();
        seen.push(limited.output());
        const long = await turn.createTerminal({ toolCallId, command: 'sleep 600' });
        seen.push(long.output());
        long.kill();
        seen.push(await long.wait());
        const none = await turn.createTerminal({ command: 'no-such-program-x', args: [] });
        seen.push(await none.wait());
        await turn.createTerminal({ command: 'ls', cwd: '/etc' }).catch((error: Error) => seen.push(error.message));
        return undefined;
      },
    });
    await start({ agents: [agent] }, 'test');
    await turn(client, chat, 'go');
    expect(seen).toEqual([
      { kind: 'exited', exitCode: 0 },
      { output: 'a b|$HOME\r\n', truncated: false, exitCode: 0 },
      { kind: 'exited', exitCode: 0 },
      `y\r\n${host.workspace}\r\n`,
      { output: '999\r\n1000\r\n'.slice(-10), truncated: true, exitCode: 0 },
      { output: '', truncated: false },
      { kind: 'exited', exitCode: 129, signal: 1 },
      { kind: 'exited', exitCode: 127 },
      expect.stringContaining('outside the folders'),
    ]);
  });

  it('can be left in the background and claimed again by a later call', async () => {
    let first: AgentTerminal | undefined;
    const agent = testAgent({
      prompt: async (turn) => {
        const toolCallId = turn.turnId;
        turn.emit({ kind: 'toolCallStart', toolCallId, toolName: 'run', displayName: 'Run' });
        turn.emit({ kind: 'toolCallRunning', toolCallId, invocationMessage: 'Run' });
        if (!first) {
          first = await turn.createTerminal({ toolCallId, command: 'read line; echo "got $line"' });
          await turn.attachTerminal({ resource: first.resource }).catch(() => first?.release());
        } else {
          const again = await turn.attachTerminal({ toolCallId, resource: first.resource });
          turn.emit({
            kind: 'toolCallContent',
            toolCallId,
            content: [{ type: 'terminal', resource: again.resource, title: 'again' }],
          });
          expect(await again.wait()).toMatchObject({ kind: 'exited' });
          expect(again.output().output).toContain('got it');
        }
        turn.emit({ kind: 'toolCallDone', toolCallId, result: { success: true, pastTenseMessage: 'Ran' } });
        return undefined;
      },
    });
    await start({ agents: [agent] }, 'test');
    await turn(client, chat, 'one');
    const uri = first?.resource ?? '';
    const view = await TerminalView.watch(client, uri);
    expect(view.state.claim).toEqual({ kind: 'session', session, chat });
    const turnId = startTurn(client, chat, 'two');
    await shownTerminal();
    await view.until(({ claim }) => claim.kind === 'session' && claim.toolCallId === turnId);
    view.type('it\r');
    expect(await turnEnd(client, chat, turnId)).toMatchObject({ type: 'chat/turnComplete' });
    await view.until(({ claim }) => claim.kind === 'session' && claim.toolCallId === undefined);
  });
});

it('what an agent is done with is kept only as long as its terminal, however long the turn goes on', async () => {
  const used: WeakRef<AgentTerminal>[] = [];
  const use = async (turn: AgentTurn) => {
    const terminal = await turn.createTerminal({ command: 'true' });
    await terminal.wait();
    terminal.release();
    used.push(new WeakRef(terminal));
  };
  const agent = testAgent({
    prompt: async (turn) => {
      while (used.length < 15) await use(turn); // of those that have ended ten are kept
      turn.emit({ kind: 'text', text: 'done' });
      await stopped(turn);
      return undefined;
    },
  });
  await start({ agents: [agent] }, 'test');
  startTurn(client, chat, 'go');
  await client.action(chat, 'chat/responsePart');
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const areGone = () => {
    collectGarbage();
    return used.slice(0, 3).map((terminal) => terminal.deref() === undefined);
  };
  await expect.poll(areGone, PATIENT).toEqual([true, true, true]);
});

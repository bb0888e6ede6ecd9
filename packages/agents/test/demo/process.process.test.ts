import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { TERM_GRACE_MS } from '../../src/demo/process/agent-process.js';
import { CANCEL_GRACE_MS } from '../../src/demo/process/child-agent.js';
import { IDLE_MS } from '../../src/demo/process/process-chat.js';
import { FakeTimers } from './support/fake-timers.js';
import { eventually, findProcesses } from './support/processes.js';
import { makeFolder, openRig, type Rig, type RigOptions, removeFolder } from './support/rig.js';

const folder = makeFolder();
const rigs: Rig[] = [];

async function open(options: RigOptions = {}): Promise<Rig> {
  const rig = await openRig({ folder, ...options });
  rigs.push(rig);
  return rig;
}

/** An agent's process that does not do what it should. */
function program(name: string, code: string): { script: string } {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, code);
  return { script: path };
}

function only(label: string): number {
  const [pid, ...others] = findProcesses(label);
  if (pid === undefined || others.length > 0) throw new Error(`expected one process ${label}`);
  return pid;
}

afterEach(async () => {
  await Promise.all(rigs.splice(0).map(({ provider }) => provider.dispose()));
});
afterAll(() => removeFolder(folder));

describe('the process of a chat', () => {
  it('starts with the first prompt, serves the next, and is gone after dispose', async () => {
    const rig = await open();
    expect(findProcesses(rig.chatUri)).toEqual([]);
    await rig.run('/say one');
    const pid = only(rig.chatUri);
    await rig.run('/say two');
    expect(only(rig.chatUri)).toBe(pid);
    await rig.chat.dispose();
    expect(findProcesses(rig.chatUri)).toEqual([]);
    expect(rig.deaths).toEqual([]);
  });

  it('is one per chat, in a group of its own, with hardly any environment', async () => {
    vi.stubEnv('SECRET_TOKEN', 'x');
    vi.stubEnv('NODE_OPTIONS', '--no-warnings');
    const one = await open();
    const two = await open({ provider: one.provider });
    await Promise.all([one.run('/say x'), two.run('/say x')]);
    const pid = only(one.chatUri);
    expect(pid).not.toBe(only(two.chatUri));
    if (process.platform === 'linux') {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      expect(environment).not.toMatch(/SECRET_TOKEN|NODE_OPTIONS|PATH|HOME/);
      const [, , group] = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      expect(Number(group)).toBe(pid);
    }
    vi.unstubAllEnvs();
  });

  it('fails the turn when it is killed from outside, and starts again', async () => {
    const rig = await open();
    const { turn, outcome } = rig.start('/say here\n/write a.txt x', { decide: () => 'never' });
    await turn.until(({ confirmations }) => confirmations.length > 0);
    process.kill(only(rig.chatUri), 'SIGKILL');
    expect(await outcome).toEqual({
      kind: 'error',
      error: {
        errorType: 'agentExited',
        message: expect.stringContaining('(signal SIGKILL). Send another message'),
      },
    });
    expect(turn.text).toBe('here');
    expect(rig.deaths).toEqual([]);
    expect((await rig.run('/say again')).turn.text).toBe('again');
  });

  it('tells the host when it dies between turns, and starts again', async () => {
    const rig = await open();
    await rig.run('/say one');
    process.kill(only(rig.chatUri), 'SIGKILL');
    await eventually('the host hears of it', () => rig.deaths.length > 0);
    expect(rig.deaths).toMatchObject([{ errorType: 'agentExited' }]);
    expect((await rig.run('/say two')).turn.text).toBe('two');
  });

  it('is ended when it was idle for long, and started again on demand', async () => {
    const timers = new FakeTimers();
    const rig = await open({ internals: { timers } });
    await rig.run('/say one');
    const pid = only(rig.chatUri);
    expect(timers.armed).toEqual([IDLE_MS]);
    timers.fire(IDLE_MS);
    await eventually('the process is gone', () => findProcesses(rig.chatUri).length === 0);
    expect((await rig.run('/say two')).turn.text).toBe('two');
    expect(only(rig.chatUri)).not.toBe(pid);
    expect(rig.deaths).toEqual([]);
  });

  it('is not ended in the middle of a turn', async () => {
    const timers = new FakeTimers();
    const rig = await open({ internals: { timers } });
    await rig.run('/say one');
    const { turn, outcome } = rig.start('/ask Q', { answer: () => 'never' });
    expect(timers.armed).toEqual([]);
    await turn.until(({ questions }) => questions.length > 0);
    turn.cancel();
    expect(await outcome).toEqual({ kind: 'cancelled' });
  });

  it('ends a running turn when it is disposed', async () => {
    const rig = await open();
    const { turn, outcome } = rig.start('/ask Q', { answer: () => 'never' });
    await turn.until(({ questions }) => questions.length > 0);
    await rig.provider.dispose();
    expect(findProcesses(rig.chatUri)).toEqual([]);
    expect(await outcome).toEqual({ kind: 'cancelled' });
    expect(await rig.start('/say x').outcome).toMatchObject({ error: { errorType: 'agentDisposed' } });
    await expect(openRig({ provider: rig.provider })).rejects.toMatchObject({ errorType: 'agentDisposed' });
  });

  it('never outlives its host, however that ends', async () => {
    const label = `ahp-chat:/orphan-${process.pid}`;
    const host = spawn(process.execPath, [fileURLToPath(new URL('fixtures/host.mjs', import.meta.url)), label], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(host.stdout, 'data');
    expect(findProcesses(label).filter((pid) => pid !== host.pid)).toHaveLength(1);
    host.kill('SIGKILL');
    await eventually('the orphan is gone', () => findProcesses(label).length === 0);
  });
});

describe('a process that misbehaves', () => {
  const ANSWER = `
    const answer = (frame) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...frame }) + '\\n');
    let text = '';
    process.stdin.on('data', (chunk) => {
      text += chunk;
      for (let at = text.indexOf('\\n'); at >= 0; at = text.indexOf('\\n')) {
        heard(JSON.parse(text.slice(0, at)));
        text = text.slice(at + 1);
      }
    });`;

  it.each([
    ['noise', "process.stdout.write('hello\\n')"],
    ['an event of no known kind', "answer({ method: 'emit', params: { event: { kind: 'explode' } } })"],
    ['an event of a wrong shape', "answer({ method: 'emit', params: { event: { kind: 'text', text: 7 } } })"],
    ['a wrong request', "answer({ id: 'a', method: 'confirm', params: { toolCallId: 1 } })"],
    ['a wrong notification', "answer({ method: 'setAutoMode', params: { mode: 'always' } })"],
    ['a wrong outcome', "answer({ id: frame.id, result: { kind: 'splendid' } })"],
  ])('is ended when it says %s', async (_, said) => {
    const rig = await open({ internals: program('bad', `${ANSWER}\nconst heard = (frame) => ${said};`) });
    const { turn, outcome } = await rig.run('/say x');
    expect(outcome).toMatchObject({ kind: 'error', error: { errorType: 'agentMisbehaved' } });
    expect(turn.events).toEqual([]);
    expect(findProcesses(rig.chatUri)).toEqual([]);
  });

  it('gets no answer to what it may not ask, and is not ended for what is merely unknown', async () => {
    const code = `${ANSWER}
      let prompt;
      const heard = (frame) => {
        if (frame.method === 'prompt') {
          prompt = frame.id;
          answer({ method: 'shout', params: {} });
          answer({ id: 'x', method: 'readSecrets', params: {} });
        } else {
          answer({ method: 'emit', params: { event: { kind: 'text', text: frame.error.message } } });
          answer({ id: prompt, result: { kind: 'complete' } });
        }
      };`;
    const rig = await open({ internals: program('curious', code) });
    expect((await rig.run('/say x')).turn.text).toBe('not now: readSecrets');
  });

  it('is killed when it does not stop after a cancel', async () => {
    const timers = new FakeTimers();
    const code = `${ANSWER}
      const heard = () => answer({ method: 'emit', params: { event: { kind: 'text', text: 'x' } } });`;
    const rig = await open({ internals: { timers, ...program('deaf', code) } });
    const { turn, outcome } = rig.start('/say x');
    await turn.until(({ events }) => events.length > 0);
    turn.cancel();
    timers.fire(CANCEL_GRACE_MS);
    expect(await outcome).toEqual({ kind: 'cancelled' });
    expect(findProcesses(rig.chatUri)).toEqual([]);
  });

  it('is killed when it does not end on dispose', async () => {
    const timers = new FakeTimers();
    const code = `${ANSWER}
      process.on('SIGTERM', () => {});
      setInterval(() => {}, 1000);
      const heard = (frame) => answer({ id: frame.id, result: { kind: 'complete' } });`;
    const rig = await open({ internals: { timers, ...program('stubborn', code) } });
    await rig.run('/say x');
    const disposed = rig.chat.dispose();
    expect(findProcesses(rig.chatUri)).toHaveLength(1);
    timers.fire(TERM_GRACE_MS);
    await disposed;
    expect(findProcesses(rig.chatUri)).toEqual([]);
  });

  it('fails the turn when it exits by itself, and leaves its last words in the log', async () => {
    const written: unknown[] = [];
    const rig = await open({
      internals: program('broken', "throw new Error('cannot go on');"),
      log: { write: (...entry) => void written.push(entry) },
    });
    const { outcome } = await rig.run('/say x');
    expect(outcome).toMatchObject({
      error: { errorType: 'agentExited', message: expect.stringContaining('exit code 1') },
    });
    expect(written).toMatchObject([
      ['warn', 'agent.ended', expect.anything(), { stderr: expect.stringContaining('cannot go on') }],
    ]);
  });

  it('fails the turn when it only closes its output', async () => {
    const code = "import { closeSync } from 'node:fs'; closeSync(1); setInterval(() => {}, 1000);";
    const rig = await open({ internals: program('mute', code) });
    expect((await rig.run('/say x')).outcome).toMatchObject({ error: { errorType: 'agentExited' } });
    expect(findProcesses(rig.chatUri)).toEqual([]);
  });

  it('fails the turn when it cannot be started', async () => {
    const script = join(folder, 'no', 'such', 'place.js');
    const rig = await open({ internals: { script } });
    const { outcome } = await rig.run('/say x');
    expect(outcome).toMatchObject({ kind: 'error', error: { errorType: 'agentExited' } });
    mkdirSync(join(folder, 'no', 'such'), { recursive: true });
    writeFileSync(script, "throw new Error('still not');");
    expect((await rig.run('/say x')).outcome).toMatchObject({
      error: { message: expect.stringContaining('exit code') },
    });
  });
});

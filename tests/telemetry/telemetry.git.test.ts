import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoAgent } from '@moorage/agents/demo';
import { otelTelemetry, type Telemetry, type TelemetrySource } from '@moorage/host';
import { AhpErrorCodes, JsonRpcErrorCodes, ROOT_URI, type ServerNotificationMap } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, approval, PATIENT, startTurn, turn, turnEnd } from '../support/actions.js';
import { attributesOf, logRecordsIn, metricsIn, spansIn } from '../support/otlp.js';
import { run } from '../support/run-from-small-process.js';
import { testAgent } from '../support/test-agent.js';
import { TestHost, type TestHostOptions } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { workspacesIn } from '../support/workspaces.js';

const LOGS = 'ahp-otlp:/logs';
const TRACES = 'ahp-otlp:/traces';
const METRICS = 'ahp-otlp:/metrics';

let telemetry: Telemetry & TelemetrySource;
let host: TestHost;

beforeEach(() => {
  const made = otelTelemetry({ version: '1.2.3', batchMs: 20, metricsMs: 50 });
  if (!made) throw new Error('telemetry is off');
  telemetry = made;
});
afterEach(async () => {
  await host.dispose();
  await telemetry.close();
});

async function start(options: TestHostOptions = {}): Promise<void> {
  host = await TestHost.start({
    telemetry,
    workspaces: (folder) => workspacesIn(folder, { telemetry }),
    ...options,
  });
}

/** Subscribes, and waits until what follows is told. */
async function follow(client: WireClient, ...channels: string[]): Promise<void> {
  for (const channel of channels) {
    expect(await client.request('subscribe', { channel })).toEqual({});
  }
  await expect.poll(() => telemetry.isOn, PATIENT).toBe(true);
}

function payloads<M extends keyof ServerNotificationMap>(client: WireClient, method: M, channel?: string): object[] {
  return client.notifications.flatMap(({ method: named, params }) => {
    const { channel: on, payload } = params as { channel: string; payload: object };
    return named === method && (channel === undefined || on === channel) ? [payload] : [];
  });
}

const spansOf = (client: WireClient) => payloads(client, 'otlp/exportTraces').flatMap(spansIn);
const recordsOf = (client: WireClient, channel?: string) =>
  payloads(client, 'otlp/exportLogs', channel).flatMap(logRecordsIn);

describe('the channels', () => {
  it('are offered in the handshake, and nothing is told while nobody listens', async () => {
    await start();
    const client = await host.rawClient();
    const { clientId } = client;
    const result = await client.request('initialize', { channel: ROOT_URI, clientId, protocolVersions: ['1.0.0'] });
    expect(result.telemetry).toEqual({ logs: 'ahp-otlp:/logs{/level}', traces: TRACES, metrics: METRICS });
    expect(telemetry.isOn).toBe(false);
    await follow(client, TRACES);
    client.peer.notify('unsubscribe', { channel: TRACES });
    await expect.poll(() => telemetry.isOn, PATIENT).toBe(false);
  });

  it.each([
    ['a replay', 0],
    ['snapshots', Number.MAX_SAFE_INTEGER],
  ])('are live again after a reconnect that gives %s, and nothing is said of them (OQ-11)', async (_, lastSeen) => {
    await start();
    const client = await host.client({ subscriptions: [TRACES, ROOT_URI] });
    await expect.poll(() => telemetry.isOn, PATIENT).toBe(true);
    await host.leave(client);
    await expect.poll(() => telemetry.isOn, PATIENT).toBe(false);
    const { client: back, result } = await host.reconnect(client, [TRACES, ROOT_URI, 'ahp-otlp:/bogus'], lastSeen);
    if (result.type === 'replay') expect(result.missing).toEqual([]);
    else expect(result.snapshots.map(({ resource }) => resource)).toEqual([ROOT_URI]);
    await expect.poll(() => telemetry.isOn, PATIENT).toBe(true);
    back.peer.notify('unsubscribe', { channel: TRACES });
    await expect.poll(() => telemetry.isOn, PATIENT).toBe(false);
  });

  it('can be among the first subscriptions, and end with the connection', async () => {
    await start();
    const client = await host.client({ subscriptions: [TRACES, 'ahp-otlp:/logs/bogus', ROOT_URI] });
    await expect.poll(() => telemetry.isOn, PATIENT).toBe(true);
    await client.close();
    await expect.poll(() => telemetry.isOn, PATIENT).toBe(false);
  });

  it.each([
    ['an unknown level', `${LOGS}/loud`, JsonRpcErrorCodes.InvalidParams],
    ['an unknown signal', 'ahp-otlp:/profiles', AhpErrorCodes.NotFound],
    ['the template itself', 'ahp-otlp:/logs{/level}', AhpErrorCodes.NotFound],
  ])('%s is refused', async (_what, channel, code) => {
    await start();
    const client = await host.client();
    expect((await client.refused('subscribe', { channel })).code).toBe(code);
    expect(telemetry.isOn).toBe(false);
  });

  it('are not there in a host without telemetry, nor in version 1', async () => {
    host = await TestHost.start();
    const client = await host.client();
    expect((await client.refused('subscribe', { channel: TRACES })).code).toBe(AhpErrorCodes.NotFound);
    await host.dispose();
    await start();
    const old = await host.rawClient();
    const params = { clientId: old.clientId, protocolVersion: 1 };
    expect(await old.peer.request('initialize', params)).not.toHaveProperty('telemetry');
    await old.refused('subscribe', { resource: TRACES });
    expect(telemetry.isOn).toBe(false);
  });

  it('speak to clients of version 0.3, too', async () => {
    await start();
    const client = await host.rawClient();
    const params = { channel: ROOT_URI, clientId: client.clientId, protocolVersions: ['0.3.0'] };
    expect(await client.peer.request('initialize', params)).toHaveProperty('telemetry.traces', TRACES);
    expect(await client.peer.request('subscribe', { channel: METRICS })).toEqual({});
    const { payload } = await client.notification('otlp/exportMetrics');
    expect(payload).toHaveProperty('resourceMetrics');
  });
});

describe('what is told', () => {
  it('has spans for turns, tool calls, git and the store, tied together by ids', async () => {
    await start();
    run('git', ['init', '--quiet'], { cwd: host.workspace });
    const [client, watcher] = [await host.client(), await host.client()];
    await follow(watcher, TRACES);
    const { session, chat } = await host.session(client);
    const turnId = startTurn(client, chat, '/write a.txt hello');
    const { toolCallId } = await client.action(chat, 'chat/toolCallReady');
    await accepted(client, chat, approval(turnId, toolCallId));
    await turnEnd(client, chat, turnId);
    const named = (name: string) => spansOf(watcher).find((span) => span.name === name);
    await expect.poll(() => named('turn') && named('tool call') && named('store commit'), PATIENT).toBeDefined();
    await expect.poll(() => spansOf(watcher).some(({ name }) => name.startsWith('git ')), PATIENT).toBe(true);
    const [span, call] = [named('turn'), named('tool call')];
    const id = session.slice('ahp-session:/'.length);
    expect(attributesOf(span)).toMatchObject({
      'ahp.session.id': id,
      'ahp.turn.id': turnId,
      'ahp.provider': 'demo',
      'ahp.turn.outcome': 'complete',
    });
    expect(attributesOf(call)).toMatchObject({
      'ahp.session.id': id,
      'ahp.turn.id': turnId,
      'ahp.tool_call.id': toolCallId,
    });
    expect(call).toMatchObject({ traceId: span?.traceId, parentSpanId: span?.spanId });
    const [{ resourceSpans }] = payloads(watcher, 'otlp/exportTraces') as [{ resourceSpans: { resource: object }[] }];
    expect(attributesOf(resourceSpans[0]?.resource)).toMatchObject({
      'service.name': 'moorage',
      'service.version': '1.2.3',
    });
    expect(client.notifications.filter(({ method }) => method.startsWith('otlp/'))).toEqual([]);
  });

  it('has numbers of connections, sessions, queues, latencies, tokens and cost', async () => {
    const agent = testAgent({
      prompt: async (given) => {
        const cost = (amount: number) => ({ _meta: { 'moorage.context': { cost: { amount, currency: 'USD' } } } });
        given.emit({ kind: 'usage', usage: { inputTokens: 10, outputTokens: 1, model: 'm' } });
        given.emit({ kind: 'usage', usage: { inputTokens: 30, outputTokens: 5, model: 'm', ...cost(0.25) } });
        return undefined;
      },
    });
    await start({ agents: [agent] });
    const [client, watcher] = [await host.client(), await host.client()];
    await follow(watcher, METRICS);
    const { session, chat } = await host.session(client, { provider: 'test' });
    await turn(client, chat, 'hi');
    const latest = () => metricsIn(payloads(watcher, 'otlp/exportMetrics').at(-1) ?? {});
    await expect.poll(() => latest().get('ahp.turn.duration')?.length, PATIENT).toBe(1);
    const metrics = latest();
    const id = session.slice('ahp-session:/'.length);
    const about = { 'ahp.session.id': id, 'ahp.provider': 'test', 'ahp.model': 'm' };
    expect(metrics.get('ahp.connections')).toEqual([{ value: 2, attributes: {} }]);
    expect(metrics.get('ahp.sessions')).toEqual([{ value: 1, attributes: {} }]);
    expect(metrics.get('ahp.outbox.queued_chars')).toEqual([{ value: 0, attributes: {} }]);
    expect(metrics.get('ahp.session.tokens')).toEqual([
      { value: 30, attributes: { ...about, 'ahp.token.type': 'input' } },
      { value: 5, attributes: { ...about, 'ahp.token.type': 'output' } },
    ]);
    expect(metrics.get('ahp.session.cost')).toEqual([{ value: 0.25, attributes: { ...about, 'ahp.currency': 'USD' } }]);
    expect(metrics.get('ahp.store.commit.duration')?.[0]?.value).toBeGreaterThan(0);
    const requests = metrics.get('ahp.request.duration')?.map(({ attributes }) => attributes['rpc.method']);
    expect(requests).toEqual(expect.arrayContaining(['createSession', 'subscribe']));
  });

  it('has log records by severity, each level a subscription of its own', async () => {
    await start({
      agents: [testAgent({ prompt: async () => ({ kind: 'error', error: { errorType: 'broke', message: 'x' } }) })],
    });
    const [client, all, warnings] = [await host.client(), await host.client(), await host.client()];
    await follow(all, LOGS, `${LOGS}/FATAL`);
    await follow(warnings, `${LOGS}/Warn`);
    const { chat } = await host.session(client, { provider: 'test' });
    const turnId = await turn(client, chat, 'hi');
    await expect.poll(() => recordsOf(warnings).map(({ body }) => body), PATIENT).toEqual(['a turn ended: error']);
    await expect
      .poll(() => recordsOf(all, LOGS).map(({ body }) => body), PATIENT)
      .toEqual(['a session is ready', 'a turn started', 'a turn ended: error']);
    expect(recordsOf(all, `${LOGS}/FATAL`)).toEqual([]);
    const [record] = recordsOf(warnings, `${LOGS}/Warn`);
    expect(record).toMatchObject({ severityNumber: 13, attributes: { 'ahp.turn.id': turnId, 'error.type': 'broke' } });
  });
});

it('never holds what was asked, what is in files, or a token', async () => {
  const secrets = {
    prompt: 'canary-prompt-1',
    file: 'canary-content-2',
    token: 'canary-token-3456789',
    path: 'canary-path-4',
  };
  const RESOURCE = 'https://protected.example/';
  const demo = demoAgent({ isolation: 'none' });
  const protectedDemo = {
    info: { ...demo.info, protectedResources: [{ resource: RESOURCE }] },
    openChat: demo.openChat.bind(demo),
    dispose: demo.dispose.bind(demo),
  };
  const faulty = testAgent({
    prompt: async (given) => {
      given.emit({ kind: 'usage', usage: { inputTokens: 1 } });
      throw new Error(`${given.message.text} ${secrets.token}`);
    },
  });
  await start({ agents: [protectedDemo, faulty] });
  run('git', ['init', '--quiet'], { cwd: host.workspace });
  writeFileSync(join(host.workspace, `${secrets.path}.txt`), `${secrets.file}\n`);
  const [client, watcher] = [await host.client(), await host.client()];
  await follow(watcher, LOGS, TRACES, METRICS);
  await client.request('authenticate', { channel: ROOT_URI, resource: RESOURCE, token: secrets.token });
  await client.refused('authenticate', { channel: ROOT_URI, resource: secrets.token, token: secrets.token });
  await client.refused(`method-${secrets.prompt}`, {});
  const { chat } = await host.session(client);
  const steps = [`/title ${secrets.prompt}`, '/auto on', `/say ${secrets.prompt}`, `/read ${secrets.path}.txt`];
  const more = [`/write ${secrets.path}.txt ${secrets.file}`, `/run echo ${secrets.file}`, `/fail ${secrets.prompt}`];
  await turn(client, chat, [...steps, ...more].join('\n'));
  const other = await host.session(client, { provider: 'test' });
  await turn(client, other.chat, secrets.prompt);
  await expect.poll(() => spansOf(watcher).filter(({ name }) => name === 'turn').length, PATIENT).toBe(2);
  const seen = () => metricsIn(payloads(watcher, 'otlp/exportMetrics').at(-1) ?? {}).get('ahp.session.tokens');
  await expect.poll(seen, PATIENT).toBeDefined();
  await expect.poll(() => recordsOf(watcher).length, PATIENT).toBeGreaterThanOrEqual(6);
  const told = watcher.notifications.filter(({ method }) => method.startsWith('otlp/'));
  expect(spansOf(watcher).some(({ name }) => name === 'tool call')).toBe(true);
  expect(JSON.stringify(told)).not.toContain('canary');
});

describe('a subscriber that does not read', () => {
  it('loses batches, which are counted, while the others go on and memory does not grow', async () => {
    // What the agent says fills the network to the one who does not read, until frames would queue in the host.
    const agent = testAgent({
      prompt: async (given) => {
        while (given.message.text === 'flood' && (host.transports[1]?.backlog ?? 0) <= 1024 * 1024) {
          given.emit({ kind: 'text', text: 'x'.repeat(256 * 1024) });
          await new Promise((resolve) => setImmediate(resolve));
        }
        return undefined;
      },
    });
    await start({ agents: [agent] });
    const [client, slow, quick] = [await host.client(), await host.client(), await host.client()];
    await follow(quick, METRICS, TRACES);
    await follow(slow, TRACES);
    const { chat } = await host.session(client, { provider: 'test' });
    await slow.subscribe(chat);
    await expect.poll(() => spansOf(slow).length, PATIENT).toBeGreaterThan(0);
    slow.socket.pause();
    await turn(client, chat, 'flood');
    slow.peer.notify('unsubscribe', { channel: chat });
    const before = slow.notifications.length;
    const turnId = await turn(client, chat, 'lost');
    const metric = (name: string) => metricsIn(payloads(quick, 'otlp/exportMetrics').at(-1) ?? {}).get(name);
    await expect.poll(() => metric('ahp.telemetry.dropped_batches')?.[0]?.value, PATIENT).toBeGreaterThan(0);
    const turnsSeenBy = (one: WireClient) =>
      spansOf(one).flatMap((span) => (span.name === 'turn' ? [attributesOf(span)['ahp.turn.id']] : []));
    await expect.poll(() => turnsSeenBy(quick), PATIENT).toContain(turnId);
    expect(slow.notifications).toHaveLength(before);
    slow.socket.resume();
    await slow.sync();
    const later = await turn(client, chat, 'told again');
    await expect.poll(() => turnsSeenBy(slow), PATIENT).toContain(later);
    expect(turnsSeenBy(slow)).not.toContain(turnId);
  }, 60_000);
});

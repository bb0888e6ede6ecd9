import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type SessionState, sessionUri } from '@moorage/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { turn } from '../support/actions.js';
import { type HostProcess, startHostProcess } from '../support/host-process.js';
import { attributesOf, logRecordsIn, metricsIn, spansIn } from '../support/otlp.js';
import { removeFolder } from '../support/remove-folder.js';
import { WireClient } from '../support/wire-client.js';

interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

let folder: string;
let host: HostProcess | undefined;
let receiver: Server;
let endpoint: string;
const received: Received[] = [];

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-telemetry-')));
  mkdirSync(join(folder, 'work'));
  received.length = 0;
  receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    received.push({ path: request.url ?? '', headers: request.headers, body });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await host?.kill();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  await removeFolder(folder);
});

async function runSession(env: NodeJS.ProcessEnv): Promise<number | null> {
  const work = join(folder, 'work');
  writeFileSync(join(work, 'a.txt'), 'canary-content');
  host = await startHostProcess(['--data-dir', join(folder, 'data'), '--root', work], env);
  const client = await WireClient.connect(host);
  const session = sessionUri.format(crypto.randomUUID());
  const workingDirectory = pathToFileURL(work).href;
  await client.request('createSession', { channel: session, provider: 'demo', workingDirectories: [workingDirectory] });
  const { defaultChat = '' } = await client.subscribe<SessionState>(session);
  await client.subscribe(defaultChat);
  await turn(client, defaultChat, '/say canary-prompt\n/read a.txt\n/usage 7 3');
  await client.close();
  return host.stop();
}

const bodiesOf = (path: string) => received.filter((one) => one.path === path).map(({ body }) => JSON.parse(body));

it('exports to the endpoint that the usual variables name, from the first session to the last batch', async () => {
  const code = await runSession({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=blue',
    OTEL_SERVICE_NAME: 'my-host',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
  });
  expect(code).toBe(0);
  const spans = bodiesOf('/v1/traces').flatMap(spansIn);
  expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['turn', 'tool call', 'store commit']));
  const records = bodiesOf('/v1/logs').flatMap(logRecordsIn);
  const told = ['a session is ready', 'a turn started', 'a turn ended: complete'];
  expect(records.map(({ body }) => body)).toEqual(expect.arrayContaining(told));
  const metrics = metricsIn(bodiesOf('/v1/metrics').at(-1));
  expect(metrics.get('ahp.session.tokens')?.map(({ value }) => value)).toEqual([7, 3]);
  const [{ resourceSpans }] = bodiesOf('/v1/traces') as [{ resourceSpans: { resource: object }[] }];
  expect(attributesOf(resourceSpans[0]?.resource)).toMatchObject({
    'service.name': 'my-host',
    'deployment.environment': 'test',
  });
  expect(new Set(received.map(({ headers }) => headers['x-team']))).toEqual(new Set(['blue']));
  expect(JSON.stringify(received)).not.toContain('canary');
  expect(JSON.stringify(received)).not.toContain(host?.token);
});

it('exports the first session too, however long it takes to get ready for that', async () => {
  const slow = new URL('../support/slow-telemetry.mjs', import.meta.url);
  await runSession({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, NODE_OPTIONS: `--import ${slow}` });
  expect(host?.stderr()).toContain('telemetry is slow to load');
  const told = bodiesOf('/v1/logs').flatMap(logRecordsIn);
  expect(told.map(({ body }) => body)).toEqual(['a session is ready', 'a turn started', 'a turn ended: complete']);
});

it('exports only the signals that have an endpoint, and none when it is turned off', async () => {
  await runSession({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${endpoint}/here` });
  expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/here']));
  received.length = 0;
  rmSync(join(folder, 'data'), { recursive: true });
  await runSession({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'true' });
  expect(received).toEqual([]);
});

it('serves and stops in time when nobody answers at the endpoint', async () => {
  expect(await runSession({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })).toBe(0);
});

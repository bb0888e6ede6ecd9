import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT_URI } from '@moorage/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { turn } from '../support/actions.js';
import { startHostProcess } from '../support/host-process.js';
import { WireClient } from '../support/wire-client.js';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'moorage-secrets-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SECRET = 'secret-of-a-resource-0123456789';

it('a token is in no log, no file but its own, no error and no state, however it came', async () => {
  const data = join(folder, 'data');
  const host = await startHostProcess(['--data-dir', data, '--root', folder, '--log-level', 'debug']);
  const { token } = host;
  const heard: string[] = [];
  const client = await WireClient.connect({ url: host.url, token });
  client.socket.on('message', (text) => heard.push(String(text)));

  // Every way in, right and wrong.
  const almost = `${token.slice(0, -1)}!`;
  heard.push(await visit(`${host.url}?token=${token}`), await visit(`${host.url}?tkn=${almost}`));
  heard.push(await visit(host.url, { protocols: ['moorage', `ahp.bearer.${token}`] }));
  heard.push(await visit(host.url, { headers: { Authorization: `Bearer ${almost}` } }));
  heard.push(await visit(host.url, { headers: { Authorization: `Bearer ${token}`, Origin: 'https://evil.example' } }));
  for (const path of ['/', '/nothing', `/?token=${token}`, '/healthz']) heard.push(await get(host.url, path));

  // What a client may have the host keep.
  const session = `ahp-session:/${crypto.randomUUID()}`;
  const workingDirectory = pathToFileURL(folder).href;
  await client.request('createSession', { channel: session, provider: 'demo', workingDirectories: [workingDirectory] });
  const { defaultChat } = await client.subscribe<{ defaultChat: string }>(session);
  await client.subscribe(defaultChat);
  await turn(client, defaultChat, '/say hello\n/auto on\n/run env');
  await client.peer
    .request('authenticate', { channel: ROOT_URI, resource: 'https://example.invalid', token: SECRET })
    .catch((error) => heard.push(String(error)));
  await client.peer
    .request('authenticate', { channel: ROOT_URI, resource: 7, token: SECRET })
    .catch((error) => heard.push(String(error)));
  await client.peer
    .request('resourceRead', { channel: ROOT_URI, uri: pathToFileURL(join(data, 'token')).href })
    .catch((error) => heard.push(String(error)));
  await client.close();
  expect(await host.stop()).toBe(0);

  for (const secret of [token, almost, SECRET]) {
    expect(host.stderr()).not.toContain(secret);
    expect(heard.filter((text) => text.includes(secret))).toEqual([]);
    expect(filesWith(secret)).toEqual(secret === token ? [join(data, 'token')] : []);
  }
  expect(statSync(join(data, 'token')).mode & 0o077).toBe(0);
});

/** Connects, and gives everything that came back. */
function visit(
  url: string,
  { protocols = [], headers = {} }: { protocols?: string[]; headers?: object } = {},
): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, protocols, { headers: { ...headers } });
    socket.once('open', () => {
      resolve(`open ${socket.protocol}`);
      socket.close();
    });
    socket.once('unexpected-response', (_request, response) => {
      let text = `${response.statusCode} ${JSON.stringify(response.headers)}`;
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    });
    socket.once('error', (error) => resolve(error.message));
  });
}

function get(url: string, path: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const call = request({ hostname, port, path }, (response) => {
      let text = JSON.stringify(response.headers);
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    });
    call.on('error', reject).end();
  });
}

function filesWith(secret: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
  return files.filter((file) => statSync(file).isFile() && readFileSync(file).includes(secret));
}

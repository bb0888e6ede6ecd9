import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import * as forBrowsers from '../../src/index.browser.js';
import { connect } from '../../src/index.browser.js';
import * as forNode from '../../src/index.js';
import { fakeHost } from '../support/rig.js';
import { CHAT, delta } from '../support/samples.js';
import { webSocketServer } from '../support/socket-server.js';

const entry = (name: string) => fileURLToPath(new URL(`../../src/${name}`, import.meta.url));

async function bundle(name: string, platform: 'browser' | 'neutral') {
  const result = await build({
    entryPoints: [entry(name)],
    bundle: true,
    write: false,
    platform,
    format: 'esm',
    metafile: true,
    mainFields: ['module', 'main'],
    logLevel: 'silent',
  });
  return { text: result.outputFiles[0]?.text ?? '', inputs: Object.keys(result.metafile.inputs) };
}

describe('the browser’s entry', () => {
  it('bundles without ws and without anything of Node', async () => {
    const { text, inputs } = await bundle('index.browser.ts', 'neutral');
    expect(inputs.filter((path) => path.includes('node_modules/ws/'))).toEqual([]);
    expect(text).not.toMatch(/\bfrom\s*["']node:|require\(["']node:|\bprocess\./);
  });

  it('exports what the entry for Node does, whose types it shares', () => {
    expect(Object.keys(forBrowsers).sort()).toEqual(Object.keys(forNode).sort());
  });

  it('is what the other entry is not', async () => {
    await expect(bundle('index.ts', 'neutral')).rejects.toThrow(/node:net|ws/);
  });
});

describe('in a browser', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('sends the token as a subprotocol, and mirrors', async () => {
    vi.stubGlobal('WebSocket', WebSocket); // the same interface that pages have
    const host = fakeHost();
    const server = await webSocketServer(host);
    const client = await connect({ url: server.url, token: 'secret' });
    expect(server.upgrades[0]?.headers['sec-websocket-protocol']).toBe('ahp,ahp.bearer.secret');
    expect(server.upgrades[0]?.headers.authorization).toBeUndefined();
    const chat = await client.chat(CHAT);
    host.emit(CHAT, delta('hello'));
    await client.request('ping');
    expect(chat.confirmed).toEqual(host.state(CHAT));
    client.close();
    await server.close();
  });

  it('offers no subprotocol without a token, takes the page’s address, and says little about failures', async () => {
    vi.stubGlobal('WebSocket', WebSocket);
    const server = await webSocketServer(fakeHost());
    vi.stubGlobal('location', { href: server.url.replace('ws:', 'http:') });
    const client = await connect({ url: '/' });
    expect(server.upgrades[0]?.headers['sec-websocket-protocol']).toBeUndefined();
    client.close();
    server.refuseWith = 401;
    await expect(connect({ url: '/' })).rejects.toMatchObject({ kind: 'unreachable' });
    await expect(connect({ url: 'unix:/x' })).rejects.toMatchObject({ kind: 'unreachable' });
    await server.close();
  });
});

import { connect } from '@moorage/client';
import { type ActionEnvelope, AhpErrorCodes, type ResourceChange, ROOT_URI, RpcError } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PATIENT } from '../support/actions.js';
import { ManualClock } from '../support/manual-clock.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const channel = ROOT_URI;
let clock: ManualClock;
let host: TestHost;
let publisher: WireClient;
let reader: WireClient;
let asked: { method: string; params: Record<string, unknown> }[];
beforeEach(async () => {
  clock = new ManualClock();
  host = await TestHost.start({ clock });
  publisher = await host.client({ clientId: 'the publisher' });
  reader = await host.client();
  asked = [];
});
afterEach(() => host.dispose());

const URI = 'virtual://the%20publisher/plugin/skill.md';
const read = (uri = URI) => reader.request('resourceRead', { channel, uri });
function serve(method: string, answer: (params: Record<string, unknown>) => unknown): void {
  publisher.serves.set(method, (params) => {
    asked.push({ method, params });
    return answer(params);
  });
}
const failing = (code: number, data?: unknown) => () => {
  throw new RpcError(code, 'says the client', { data });
};

describe('resources that a client publishes', () => {
  it('are asked of it, whoever wants them (B-232, B-292, V-38)', async () => {
    serve('resourceRead', () => ({ data: 'skill', encoding: 'utf-8', contentType: 'text/markdown' }));
    expect(await read()).toEqual({ data: 'skill', encoding: 'utf-8', contentType: 'text/markdown' });
    expect(asked).toEqual([{ method: 'resourceRead', params: { channel, uri: URI } }]);
  });

  it('are found by the customizations of the active client, whatever their scheme', async () => {
    serve('resourceList', () => ({ entries: [{ name: 'a', type: 'file' }] }));
    const customizations = [{ id: 'p', type: 'plugin', uri: 'my-files:/plugin', name: 'Plugin', enabled: true }];
    await host.session(publisher, { activeClient: { clientId: publisher.clientId, tools: [], customizations } });
    const list = (uri: string) => reader.request('resourceList', { channel, uri });
    expect(await list('my-files:/plugin/skills')).toEqual({ entries: [{ name: 'a', type: 'file' }] });
    for (const uri of [
      'my-files:/other',
      'my-files:/plugin-2',
      'my-files:/plugin/../other',
      'my-files:/plugin/%2E%2e/x',
    ]) {
      await expect(list(uri)).rejects.toMatchObject({ code: -32602 });
    }
    expect(asked).toHaveLength(1);
  });

  it('take all nine operations', async () => {
    const both = { source: URI, destination: `${URI}2` };
    const operations: [string, object, object][] = [
      ['resourceRead', { uri: URI }, { data: '', encoding: 'utf-8' }],
      ['resourceWrite', { uri: URI, data: 'x', encoding: 'utf-8', mode: 'append' }, {}],
      ['resourceList', { uri: URI }, { entries: [] }],
      ['resourceResolve', { uri: URI }, { uri: URI, type: 'file' }],
      ['resourceDelete', { uri: URI, recursive: true }, {}],
      ['resourceMkdir', { uri: URI }, {}],
      ['resourceCopy', both, {}],
      ['resourceMove', both, {}],
      ['resourceRequest', { uri: URI, write: true }, {}],
    ];
    for (const [method, params, result] of operations) {
      serve(method, () => result);
      expect(await reader.peer.request(method, { channel, ...params })).toEqual(result);
    }
    expect(asked).toEqual(operations.map(([method, params]) => ({ method, params: { channel, ...params } })));
  });

  it('are refused as the client refuses them', async () => {
    const request = { channel, uri: URI, read: true };
    for (const code of [AhpErrorCodes.NotFound, AhpErrorCodes.AlreadyExists, AhpErrorCodes.Conflict, -32602]) {
      serve('resourceRead', failing(code));
      await expect(read()).rejects.toMatchObject({ code, message: 'says the client' });
    }
    serve('resourceRead', failing(AhpErrorCodes.PermissionDenied, { request }));
    await expect(read()).rejects.toMatchObject({ code: -32009, data: { request } });
    serve('resourceRead', failing(-31999));
    await expect(read()).rejects.toMatchObject({ code: -32603 });
    serve('resourceRead', () => ({ data: 7 }));
    await expect(read()).rejects.toMatchObject({ code: -32603, message: expect.stringContaining('invalid answer') });
    publisher.serves.clear();
    await expect(read()).rejects.toMatchObject({ code: -32008, message: expect.stringContaining('does not serve') });
  });

  it('fail when the client takes too long, or goes away (OQ-96)', async () => {
    serve('resourceRead', () => new Promise(() => {}));
    const late = read().catch((error) => error);
    await expect.poll(() => asked.length, PATIENT).toBe(1);
    clock.advance(10_000);
    expect(await late).toMatchObject({ code: -32603, message: expect.stringContaining('10000 ms') });
    const lost = read().catch((error) => error);
    await expect.poll(() => asked.length, PATIENT).toBe(2);
    await host.leave(publisher);
    expect(await lost).toMatchObject({ code: -32603 });
    await expect(read()).rejects.toMatchObject({ code: -32008 });
  });

  it('are not mixed with files, and nobody else is taken for their client', async () => {
    const file = `${host.workspaceUri}/f`;
    for (const [source, destination] of [
      [URI, file],
      [file, URI],
      [URI, `virtual://${reader.clientId}/x`],
    ]) {
      const params = { channel, source, destination };
      expect((await reader.refused('resourceCopy', params)).code).toBe(-32602);
    }
    for (const uri of ['virtual://nobody/x', 'virtual:/x', 'virtual://%ff/x', 'virtual:']) {
      expect([uri, (await reader.refused('resourceRead', { channel, uri })).code]).toEqual([uri, -32008]);
    }
    for (const uri of ['my-files:/x', 'ahp-session:/x', 'mcp://x', 'https://example.com/']) {
      expect([uri, (await reader.refused('resourceRead', { channel, uri })).code]).toEqual([uri, -32602]);
    }
  });
});

describe('a watch on what a client publishes (OQ-15)', () => {
  const ROOT = 'virtual://the%20publisher/plugin';
  const REMOTE = 'ahp-resource-watch:/of-the-client';
  let watch: string;
  beforeEach(async () => {
    serve('createResourceWatch', () => ({ channel: REMOTE }));
    serve('subscribe', () => ({}));
    ({ channel: watch } = await reader.request('createResourceWatch', { channel, uri: ROOT, recursive: true }));
    await reader.subscribe(watch);
  });

  let seq = 0;
  const tell = (items: object[], on = REMOTE, from = publisher) => {
    const envelope = { channel: on, serverSeq: ++seq, action: { type: 'resourceWatch/changed', changes: { items } } };
    from.peer.notify('action', envelope satisfies Pick<ActionEnvelope, 'channel' | 'serverSeq'> & object);
  };
  /** Until the host has heard what was told, and the batch is due. */
  const due = async () => {
    await publisher.sync();
    await reader.sync();
    clock.advance(50);
  };

  it('is kept by that client, and its changes reach who asked', async () => {
    expect(asked).toEqual([
      { method: 'createResourceWatch', params: { channel, uri: ROOT, recursive: true } },
      { method: 'subscribe', params: { channel: REMOTE } },
    ]);
    tell([
      { uri: `${ROOT}/a`, type: 'added' },
      { uri: 'file:///etc/passwd', type: 'updated' },
      { uri: `${ROOT}/b`, type: 'exploded' },
    ]);
    tell([{ uri: `${ROOT}/forged`, type: 'added' }], REMOTE, reader);
    tell([{ uri: `${ROOT}/other`, type: 'added' }], 'ahp-resource-watch:/other');
    publisher.peer.notify('action', { nonsense: true });
    await due();
    const { changes } = await reader.action(watch, 'resourceWatch/changed');
    expect(changes.items).toEqual([{ uri: `${ROOT}/a`, type: 'added' }]);
  });

  it('is released there when nobody listens here', async () => {
    reader.peer.notify('unsubscribe', { channel: watch });
    const isTold = () => publisher.notifications.some(({ method }) => method === 'unsubscribe');
    await expect.poll(isTold, PATIENT).toBe(true);
    publisher.violations.length = 0; // a client that makes no watches would not expect it
    expect((await reader.refused('subscribe', { channel: watch })).code).toBe(-32008);
  });

  it('is reported as lost when the client goes', async () => {
    await host.leave(publisher);
    const { changes } = await reader.action(watch, 'resourceWatch/changed');
    expect(changes.items).toEqual([{ uri: ROOT, type: 'deleted' }]);
    expect((await reader.refused('subscribe', { channel: watch })).code).toBe(-32008);
  });

  it('is refused when the client makes none', async () => {
    publisher.serves.clear();
    const error = await reader.refused('createResourceWatch', { channel, uri: ROOT });
    expect(error).toMatchObject({ code: -32008, message: expect.stringContaining('createResourceWatch') });
  });
});

describe('with our own client on both sides', () => {
  it('reads, and follows what another client publishes', async () => {
    const own = await TestHost.start();
    const connected = (clientId: string) => connect({ url: own.url, token: own.token, clientId });
    const editor = await connected('editor');
    const viewer = await connected('viewer');
    const uri = 'virtual://editor/notes';
    let tell: (changes: ResourceChange[]) => void = () => {};
    let stopped = 0;
    editor.handle('resourceRead', () => ({ data: 'text', encoding: 'utf-8' }));
    editor.serveWatches((params, teller) => {
      if (params.uri !== uri) throw new RpcError(AhpErrorCodes.NotFound, 'no such thing');
      tell = teller;
      teller([{ uri: `${uri}/early`, type: 'added' }]);
      return () => void stopped++;
    });
    expect(await viewer.request('resourceRead', { uri: `${uri}/a` })).toMatchObject({ data: 'text' });
    await expect(viewer.request('createResourceWatch', { uri: `${uri}2` })).rejects.toMatchObject({ code: -32008 });
    const told: string[] = [];
    viewer.on('action', ({ action }) => {
      if (action.type === 'resourceWatch/changed')
        told.push(...action.changes.items.map((item) => `${item.type} ${item.uri}`));
    });
    const { channel: made } = await viewer.request('createResourceWatch', { uri, recursive: true });
    const mirror = await viewer.resourceWatch(made);
    expect(mirror.confirmed).toEqual({ root: uri, recursive: true });
    tell([{ uri: `${uri}/late`, type: 'updated' }]);
    await expect.poll(() => told, PATIENT).toEqual([`added ${uri}/early`, `updated ${uri}/late`]);
    mirror.release();
    await expect.poll(() => stopped, PATIENT).toBe(1);
    editor.close();
    viewer.close();
    await own.dispose();
  });
});

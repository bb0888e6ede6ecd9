import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ResourceWriteParams, ROOT_URI } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const channel = ROOT_URI;
let host: TestHost;
let client: WireClient;
let outside: string;
beforeEach(async () => {
  host = await TestHost.start();
  client = await host.client();
  outside = await realpath(await mkdtemp(join(tmpdir(), 'moorage-outside-')));
});
afterEach(async () => {
  await host.dispose();
  await rm(outside, { recursive: true, force: true });
});

const at = (name: string) => join(host.workspace, name);
const uri = (name: string) => pathToFileURL(at(name)).href;
const put = (name: string, content: string | Uint8Array = name) => writeFileSync(at(name), content);
const get = (name: string) => readFileSync(at(name), 'utf8');
const read = (name: string, encoding?: 'utf-8' | 'base64') =>
  client.request('resourceRead', { channel, uri: uri(name), ...(encoding && { encoding }) });
const write = (name: string, data: string, more: Partial<ResourceWriteParams> = {}) =>
  client.request('resourceWrite', { channel, uri: uri(name), data, encoding: 'utf-8', ...more });
const resolve = (name: string, followSymlinks?: boolean) =>
  client.request('resourceResolve', {
    channel,
    uri: uri(name),
    ...(followSymlinks !== undefined && { followSymlinks }),
  });
const refused = async (method: string, params: object) => (await client.refused(method, { channel, ...params })).code;

describe('resourceRead', () => {
  it('gives text as text, anything else as base64, and what was asked for where it can', async () => {
    put('a.md', 'grüße');
    put('bin', Uint8Array.of(0, 255, 7));
    put('empty', '');
    expect(await read('a.md')).toEqual({ data: 'grüße', encoding: 'utf-8', contentType: 'text/markdown' });
    expect(await read('a.md', 'base64')).toMatchObject({ data: Buffer.from('grüße').toString('base64') });
    for (const encoding of [undefined, 'utf-8', 'base64'] as const) {
      expect(await read('bin', encoding)).toEqual({
        data: 'AP8H',
        encoding: 'base64',
        contentType: 'application/octet-stream',
      });
    }
    expect(await read('empty')).toEqual({ data: '', encoding: 'utf-8', contentType: 'text/plain' });
  });

  it('takes every name that a URI can hold', async () => {
    for (const name of ['a b', 'c%d', 'e?f#g', 'ü', 'u\u0308', '..dots', 'new\nline', "q'uote", '100%25']) {
      put(name);
      expect(await read(name)).toMatchObject({ data: name });
    }
  });

  it('refuses what is not there, not a file, or too large (OQ-90, OQ-92)', async () => {
    mkdirSync(at('dir'));
    put('big', new Uint8Array(10 * 1024 * 1024 + 1));
    put('most', new Uint8Array(10 * 1024 * 1024).fill(1));
    expect(await refused('resourceRead', { uri: uri('missing') })).toBe(-32008);
    expect(await refused('resourceRead', { uri: uri('dir') })).toBe(-32602);
    const error = await client.refused('resourceRead', { channel, uri: uri('big') });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('10485761 bytes') });
    // All of them at once, though the network cannot take them at once: nobody is cut off for asking.
    const contents = await Promise.all(Array.from({ length: 5 }, () => read('most', 'utf-8')));
    expect(new Set(contents.map(({ data, encoding }) => `${encoding} ${data.length}`))).toEqual(
      new Set([`base64 ${Math.ceil((10 * 1024 * 1024) / 3) * 4}`]), // as text it would be six times as long
    );
  });

  it('refuses URIs that are none, or could be read in two ways', async () => {
    const wrong = [
      'file://elsewhere/etc/passwd',
      `${uri('a')}?x`,
      `${uri('a')}#x`,
      `${host.workspaceUri}/%00`,
      `${host.workspaceUri}/a%2Fb`,
      `${host.workspaceUri}/%ff`,
      'file:',
      'http://localhost/',
      'nonsense',
      '',
    ];
    for (const given of wrong)
      expect([given, await refused('resourceRead', { uri: given })]).toEqual([given, expect.any(Number)]);
    const codes = await Promise.all(wrong.map((given) => refused('resourceRead', { uri: given })));
    expect(new Set(codes)).toEqual(new Set([-32602, -32009]));
    expect(codes.filter((code) => code === -32009)).toHaveLength(1); // `file:` is the root folder
  });
});

describe('resourceWrite', () => {
  it('writes text and bytes, whole or in part (OQ-91)', async () => {
    await write('f', 'hello');
    await write('f', 'AAH/', { encoding: 'base64', mode: 'append' });
    expect([...readFileSync(at('f'))]).toEqual([...Buffer.from('hello'), 0, 1, 255]);
    await write('f', 'XY', { position: 2 });
    expect(get('f')).toBe('heXY');
    await write('f', '-', { mode: 'insert', position: 1 });
    await write('f', '+', { mode: 'append', position: 1 });
    expect(get('f')).toBe('h-eX+Y');
    await write('ü.txt', 'ü', { mode: 'insert' });
    await write('ü.txt', '|', { mode: 'append', position: 1 }); // bytes, not characters
    expect([...readFileSync(at('ü.txt'))]).toEqual([0xc3, 0x7c, 0xbc]);
    expect(readdirSync(host.workspace).sort()).toEqual(['f', 'ü.txt']);
  });

  it('keeps the mode, and writes through a link', async () => {
    put('run.sh');
    chmodSync(at('run.sh'), 0o755);
    symlinkSync('run.sh', at('link'));
    await write('link', 'new');
    expect([get('run.sh'), statSync(at('run.sh')).mode & 0o777]).toEqual(['new', 0o755]);
    expect(await resolve('link', false)).toMatchObject({ type: 'symlink', uri: uri('link') });
  });

  it('refuses with the codes of the table, and changes nothing', async () => {
    put('f', 'content');
    mkdirSync(at('dir'));
    const { etag } = await resolve('f');
    const codes = (params: object) =>
      refused('resourceWrite', { uri: uri('f'), data: 'x', encoding: 'utf-8', ...params });
    expect(await codes({ uri: uri('no/f') })).toBe(-32008);
    expect(await codes({ createOnly: true })).toBe(-32010);
    expect(await codes({ createOnly: true, mode: 'append', position: 99 })).toBe(-32010); // checked first
    expect(await codes({ ifMatch: 'stale' })).toBe(-32011);
    expect(await codes({ uri: uri('missing'), ifMatch: etag })).toBe(-32011);
    expect(await codes({ uri: uri('dir') })).toBe(-32602);
    expect(await codes({ position: 8 })).toBe(-32602);
    expect(await codes({ position: -1 })).toBe(-32602);
    expect(await codes({ position: 1.5 })).toBe(-32602);
    expect(await codes({ mode: 'append', position: 8 })).toBe(-32602);
    expect(await codes({ mode: 'replace' })).toBe(-32602);
    for (const data of ['AA', 'A===', '*AAA', 'AAA\n']) expect(await codes({ data, encoding: 'base64' })).toBe(-32602);
    expect(get('f')).toBe('content');
    await write('f', 'new', { ifMatch: etag ?? '' });
    expect((await resolve('f')).etag).not.toBe(etag);
    expect(readdirSync(host.workspace).sort()).toEqual(['dir', 'f']);
  });

  it('loses no append of two clients at once', async () => {
    const other = await host.client();
    const append = (from: WireClient, data: string) =>
      from.request('resourceWrite', { channel, uri: uri('log'), data, encoding: 'utf-8', mode: 'append' });
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}\n`);
    await Promise.all(lines.map((line, index) => append(index % 2 ? client : other, line)));
    expect(
      get('log')
        .split(/(?<=\n)/)
        .sort(),
    ).toEqual(lines.sort());
  });
});

describe('the other operations', () => {
  it('lists a folder and nothing else', async () => {
    mkdirSync(at('dir'));
    put('b');
    put('a');
    expect(await client.request('resourceList', { channel, uri: host.workspaceUri })).toEqual({
      entries: [
        { name: 'a', type: 'file' },
        { name: 'b', type: 'file' },
        { name: 'dir', type: 'directory' },
      ],
    });
    expect(await client.request('resourceList', { channel, uri: `${uri('dir')}/` })).toEqual({ entries: [] });
    expect(await refused('resourceList', { uri: uri('a') })).toBe(-32602);
    expect(await refused('resourceList', { uri: uri('missing') })).toBe(-32008);
  });

  it('resolves to the real file, or the link', async () => {
    mkdirSync(at('dir'));
    put('dir/f.json', '{}');
    symlinkSync('dir', at('link'));
    expect(await resolve('link/f.json')).toEqual({
      uri: uri('dir/f.json'),
      type: 'file',
      size: 2,
      mtime: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      ctime: expect.any(String),
      contentType: 'application/json',
      etag: expect.any(String),
    });
    expect(await resolve('link')).toMatchObject({ uri: uri('dir'), type: 'directory' });
    expect(await resolve('link', false)).toMatchObject({ uri: uri('link'), type: 'symlink' });
    expect(await refused('resourceResolve', { uri: uri('missing') })).toBe(-32008);
  });

  it('makes folders, copies, moves and deletes', async () => {
    await client.request('resourceMkdir', { channel, uri: uri('a/b/c') });
    await client.request('resourceMkdir', { channel, uri: uri('a/b/c') });
    put('a/b/f', 'x');
    const both = (source: string, destination: string) => ({
      channel: ROOT_URI as typeof ROOT_URI,
      source: uri(source),
      destination: uri(destination),
    });
    await client.request('resourceCopy', both('a', 'copy'));
    await client.request('resourceMove', both('a/b/f', 'copy/moved'));
    await client.request('resourceDelete', { channel, uri: uri('a'), recursive: true });
    expect([readdirSync(host.workspace), readdirSync(at('copy')), get('copy/b/f')]).toEqual([
      ['copy'],
      ['b', 'moved'],
      'x',
    ]);
  });

  it('refuses with the code for each kind of mistake (OQ-92)', async () => {
    mkdirSync(at('dir/sub'), { recursive: true });
    put('a');
    put('b');
    for (const method of ['resourceCopy', 'resourceMove']) {
      const code = (source: string, destination: string, more: object = {}) =>
        refused(method, { source: uri(source), destination: uri(destination), ...more });
      expect(await code('missing', 'c')).toBe(-32008);
      expect(await code('a', 'no/c')).toBe(-32008);
      expect(await code('a', 'b', { failIfExists: true })).toBe(-32010);
      expect(await code('a', 'dir')).toBe(-32602);
      expect(await code('dir', 'dir/sub/x')).toBe(-32602);
      expect(await code('a', 'a')).toBe(-32602);
    }
    expect(await refused('resourceDelete', { uri: uri('dir') })).toBe(-32602);
    expect(await refused('resourceDelete', { uri: uri('missing') })).toBe(-32008);
    expect(await refused('resourceMkdir', { uri: uri('a') })).toBe(-32010);
    expect(await refused('resourceMkdir', { uri: uri('a/x') })).toBe(-32010);
    expect([get('a'), get('b'), readdirSync(at('dir'))]).toEqual(['a', 'b', ['sub']]);
  });

  it('keeps the folder that the host works in', async () => {
    const root = host.workspaceUri;
    expect(await refused('resourceDelete', { uri: root, recursive: true })).toBe(-32009);
    expect(await refused('resourceMove', { source: root, destination: uri('x') })).toBe(-32009);
  });
});

describe('what is outside of the roots', () => {
  beforeEach(() => {
    writeFileSync(join(outside, 'secret'), 'secret');
    symlinkSync(outside, at('away'));
    symlinkSync(join(outside, 'secret'), at('leak'));
    put('mine');
  });

  it('is denied with the request that would unlock it, whether it exists or not (B-293, V-35)', async () => {
    const plain = pathToFileURL(outside).href;
    const wrong = [
      `${plain}/secret`,
      `${plain}/missing`,
      uri('away/secret'),
      uri('leak'),
      `${host.workspaceUri}/../${outside.split('/').at(-1)}/secret`,
      `${host.workspaceUri}/%2e%2e/${outside.split('/').at(-1)}/secret`,
      `${host.workspaceUri}/.%2E/${outside.split('/').at(-1)}/secret`,
      'file:///etc/passwd',
    ];
    for (const given of wrong) {
      const denied = (method: string, params: object = {}) =>
        client.refused(method, { channel, uri: given, ...params });
      const reading = { code: -32009, data: { request: { channel, uri: given, read: true } } };
      const writing = { code: -32009, data: { request: { channel, uri: given, write: true } } };
      expect(await denied('resourceRead')).toMatchObject(reading);
      expect(await denied('resourceResolve')).toMatchObject(reading);
      expect(await denied('resourceList')).toMatchObject(reading);
      expect(await denied('createResourceWatch')).toMatchObject(reading);
      expect(await denied('resourceWrite', { data: 'x', encoding: 'utf-8' })).toMatchObject(writing);
      expect(await denied('resourceMkdir')).toMatchObject(writing);
      const copying = { channel, source: uri('mine'), destination: given };
      expect(await client.refused('resourceCopy', copying)).toMatchObject(writing);
      const leaking = { channel, source: given, destination: uri('copy') };
      expect(await client.refused('resourceCopy', leaking)).toMatchObject(reading);
    }
    expect(readdirSync(outside)).toEqual(['secret']);
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
  });

  it('is not touched when a link to it is deleted or moved', async () => {
    await client.request('resourceMove', { channel, source: uri('away'), destination: uri('moved') });
    await client.request('resourceDelete', { channel, uri: uri('moved'), recursive: true });
    await client.request('resourceDelete', { channel, uri: uri('leak') });
    expect(readdirSync(outside)).toEqual(['secret']);
    expect(readdirSync(host.workspace)).toEqual(['mine']);
  });
});

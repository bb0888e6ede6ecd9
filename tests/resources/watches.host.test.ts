import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type CreateResourceWatchParams,
  type ResourceChange,
  type ResourceWatchState,
  ROOT_URI,
} from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PATIENT } from '../support/actions.js';
import { ManualClock } from '../support/manual-clock.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

const channel = ROOT_URI;
let host: TestHost;
let client: WireClient;
beforeEach(async () => {
  host = await TestHost.start();
  client = await host.client();
});
afterEach(() => host.dispose());

const at = (name: string) => join(host.workspace, name);
const uri = (name: string) => pathToFileURL(at(name)).href;
const put = (name: string, content = name) => writeFileSync(at(name), content);
const create = async (params: Partial<CreateResourceWatchParams> = {}, from = client) =>
  (await from.request('createResourceWatch', { channel, uri: host.workspaceUri, ...params })).channel;
async function watch(params: Partial<CreateResourceWatchParams> = {}): Promise<string> {
  const created = await create(params);
  await client.subscribe(created);
  return created;
}
const batches = (on: string): ResourceChange[][] =>
  client.actionsOn(on).flatMap((action) => (action.type === 'resourceWatch/changed' ? [action.changes.items] : []));
/** What has been told so far, as "type name", each once. */
const told = (on: string) => [
  ...new Set(
    batches(on)
      .flat()
      .map((change) => `${change.type} ${change.uri.slice(host.workspaceUri.length + 1)}`),
  ),
];
const untilTold = (on: string, ...changes: string[]) =>
  expect.poll(() => told(on), PATIENT).toEqual(expect.arrayContaining(changes));

describe('a watch', () => {
  it('describes itself when it is subscribed to, and never changes (B-302)', async () => {
    const params = { recursive: true, includes: { items: ['src'] }, excludes: { items: ['**/*.log'] } };
    const created = await create(params);
    expect(created).toMatch(/^ahp-resource-watch:\/[^/]+$/);
    expect(await client.subscribe<ResourceWatchState>(created)).toEqual({ root: host.workspaceUri, ...params });
    const plain = await create();
    expect(await client.subscribe(plain)).toEqual({ root: host.workspaceUri, recursive: false });
  });

  it('tells of what is below when it is recursive, and not else (B-300)', async () => {
    mkdirSync(at('dir'));
    const deep = await watch({ recursive: true });
    const shallow = await watch();
    put('dir/inner', '');
    put('a b');
    await untilTold(deep, 'added dir/inner', 'added a%20b');
    await untilTold(shallow, 'added a%20b');
    appendFileSync(at('a b'), 'more');
    await untilTold(deep, 'updated a%20b');
    await untilTold(shallow, 'updated a%20b');
    renameSync(at('a b'), at('dir/moved'));
    rmSync(at('dir/inner'));
    await untilTold(deep, 'deleted a%20b', 'added dir/moved', 'deleted dir/inner');
    await untilTold(shallow, 'deleted a%20b');
    expect(told(shallow).some((change) => change.includes('inner') || change.includes('moved'))).toBe(false);
  });

  it('follows one file, also when it is replaced', async () => {
    put('f');
    put('other');
    const file = await watch({ uri: uri('f'), recursive: true });
    put('other', 'changed');
    put('f.new', 'new');
    renameSync(at('f.new'), at('f'));
    await untilTold(file, 'updated f');
    rmSync(at('f'));
    await untilTold(file, 'deleted f');
    put('f');
    await untilTold(file, 'added f');
    expect(told(file).every((change) => change.endsWith(' f'))).toBe(true);
  });

  it('tells only what is included and not excluded (B-301)', async () => {
    mkdirSync(at('src/node_modules/x'), { recursive: true });
    mkdirSync(at('docs'));
    const filtered = await watch({
      recursive: true,
      includes: { items: ['src', '*.{md,txt}'] },
      excludes: { items: ['**/node_modules', 'src/*.log'] },
    });
    for (const name of ['src/node_modules/x/f', 'src/a.log', 'docs/a.md', 'other', 'src/a.ts', 'a.md', 'z.txt'])
      put(name);
    await untilTold(filtered, 'added src/a.ts', 'added a.md', 'added z.txt');
    expect(told(filtered).sort()).toEqual(['added a.md', 'added src/a.ts', 'added z.txt']);
  });

  it('gathers changes, and says when they are too many to tell one by one', async () => {
    const created = await watch({ recursive: true });
    for (let index = 0; index < 50; index++) put(`few-${index}`);
    await untilTold(created, 'added few-0', 'added few-49');
    expect(batches(created).length).toBeLessThan(25);
    mkdirSync(at('many'));
    for (let index = 0; index < 3_000; index++) put(`many/${index}`, '');
    await expect
      .poll(() => batches(created).flat(), PATIENT)
      .toContainEqual({ uri: host.workspaceUri, type: 'updated' });
    expect(batches(created).every((items) => items.length > 0 && items.length <= 1_000)).toBe(true);
  });

  it('keeps what changed before the first subscription', async () => {
    const created = await create({ recursive: true });
    const other = await watch({ recursive: true });
    put('early');
    await untilTold(other, 'added early');
    await client.subscribe(created);
    await untilTold(created, 'added early');
  });

  it('says that it is over when what it watches is gone', async () => {
    mkdirSync(at('dir'));
    const watches = [await watch({ uri: uri('dir'), recursive: true }), await watch({ uri: uri('dir') })];
    rmSync(at('dir'), { recursive: true });
    for (const one of watches) {
      await untilTold(one, 'deleted dir');
      expect((await client.refused('subscribe', { channel: one })).code).toBe(-32008);
    }
  });

  it('names files as the client named the folder, though that is a link', async () => {
    mkdirSync(at('real'));
    symlinkSync('real', at('link'));
    const created = await watch({ uri: `${uri('link')}/`, recursive: true });
    put('real/f');
    await untilTold(created, 'added link/f');
  });
});

describe('who may watch, and how long', () => {
  it('is refused for what is not there, not allowed, or not a glob (B-299)', async () => {
    const code = async (params: object) =>
      (await client.refused('createResourceWatch', { channel, uri: host.workspaceUri, ...params })).code;
    symlinkSync('/etc', at('away'));
    expect(await code({ uri: uri('missing') })).toBe(-32008);
    expect(await code({ uri: 'file:///etc' })).toBe(-32009);
    expect(await code({ uri: uri('away') })).toBe(-32009);
    expect(await code({ uri: 'nonsense' })).toBe(-32602);
    expect(await code({ includes: { items: ['{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}'] } })).toBe(-32602);
    expect(await code({ excludes: { items: Array(101).fill('x') } })).toBe(-32602);
    expect(await code({ excludes: { items: ['x'.repeat(1001)] } })).toBe(-32602);
    expect(await code({ excludes: ['x'] })).toBe(-32602);
  });

  it('is for the client that made it, and for so many at once', async () => {
    const bob = await host.client();
    const created = await watch();
    expect((await bob.refused('subscribe', { channel: created })).code).toBe(-32008);
    const many = await Promise.all(Array.from({ length: 63 }, () => create()));
    expect((await client.refused('createResourceWatch', { channel, uri: host.workspaceUri })).code).toBe(-32600);
    await create({}, bob);
    await client.subscribe(many[0] ?? '');
    client.peer.notify('unsubscribe', { channel: many[0] });
    await client.sync();
    await create();
  });

  it('is released when nobody is subscribed any more (B-304)', async () => {
    const created = await watch();
    client.peer.notify('unsubscribe', { channel: created });
    await client.sync();
    expect((await client.refused('subscribe', { channel: created })).code).toBe(-32008);
  });

  it('waits for a client that lost its connection, with what it missed (OQ-94)', async () => {
    const created = await watch({ recursive: true });
    const other = await host.client();
    const witness = await create({ recursive: true }, other);
    await other.subscribe(witness);
    await host.leave(client);
    put('missed');
    await other.action(witness, 'resourceWatch/changed');
    await other.sync();
    const { client: again, result } = await host.reconnect(client, [created]);
    client = again;
    const replayed = result.type === 'replay' ? result.actions : [];
    const items = replayed.flatMap(({ action }) =>
      action.type === 'resourceWatch/changed' ? action.changes.items : [],
    );
    if (items.length === 0) await untilTold(created, 'added missed');
    else expect(items).toContainEqual({ uri: uri('missed'), type: 'added' });
  });
});

describe('with a clock that the test moves', () => {
  it('is released when nobody ever subscribes, or the client stays away (OQ-94)', async () => {
    const clock = new ManualClock();
    const slow = await TestHost.start({ clock });
    const first = await slow.client();
    const make = async () => (await first.request('createResourceWatch', { channel, uri: slow.workspaceUri })).channel;
    const [unused, used] = [await make(), await make()];
    await first.subscribe(used);
    clock.advance(60_000);
    await first.sync();
    expect((await first.refused('subscribe', { channel: unused })).code).toBe(-32008);
    await slow.leave(first);
    const bob = await slow.client();
    await bob.sync(); // what the host deferred when the client left has been done
    clock.advance(30_000);
    const { result } = await slow.reconnect(first, [used]);
    expect(result).toMatchObject({ type: 'replay', missing: [used] });
    await slow.dispose();
  });
});

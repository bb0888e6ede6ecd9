import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Annotation, type AnnotationsState, anchorOf, placeNow, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, PATIENT, turn } from '../support/actions.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';
import { workspacesIn } from '../support/workspaces.js';

let host: TestHost;
let client: WireClient;
let bob: WireClient;
let session: string;
let chat: string;
let channel: string;

const LINES = Array.from({ length: 12 }, (_, index) => `const value${index} = compute(${index});`);
const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
const file = () => join(host.workspace, 'code.ts');
const write = (...lines: string[]) => writeFileSync(file(), textOf(lines));

async function start(options: ConstructorParameters<typeof TestHost>[0] = {}) {
  host = new TestHost({
    workspaces: workspacesIn,
    ...options,
  });
  await host.start();
  client = await host.client();
  ({ session, chat } = await host.session(client));
  const state = await client.subscribe<SessionState>(session);
  if (!('workspaces' in options) && !state.changesets) await client.action(session, 'session/changesetsChanged');
  channel = `${session}/annotations`;
  bob = await host.client({ subscriptions: [channel] });
  await client.subscribe(channel);
}

beforeEach(() => start());
afterEach(() => host.dispose());

/** A turn that leaves the twelve lines behind. */
const written = () => turn(client, chat, `/auto on\n/write code.ts ${LINES.join('\\n')}\\n`);

const comment = (id: string, turnId: string, more: object = {}) => ({
  type: 'annotations/set',
  annotation: {
    id,
    origin: { session, turnId },
    resource: `${host.workspaceUri}/code.ts`,
    range: { start: { line: 4, character: 6 }, end: { line: 5, character: 9 } },
    resolved: false,
    entries: [{ id: `${id}-1`, text: 'Why?' }],
    ...more,
  },
});

async function read(id = 'a', from = client): Promise<Annotation | undefined> {
  return (await from.subscribe<AnnotationsState>(channel)).annotations.find((annotation) => annotation.id === id);
}

async function anchor(id = 'a', from = client) {
  const annotation = await read(id, from);
  return annotation && anchorOf(annotation);
}

const becomes = (expected: unknown, id?: string) => expect.poll(() => anchor(id), PATIENT).toEqual(expected);

describe('the lines that an annotation is about', () => {
  it('are followed: in place, moved, gone and back, for every client, and its own range stays', async () => {
    const turnId = await written();
    await accepted(client, channel, comment('a', turnId));
    await becomes({ state: 'here', turnId });
    write('// one', '// two', ...LINES);
    const range = { start: { line: 6, character: 6 }, end: { line: 7, character: 9 } };
    await becomes({ state: 'moved', turnId, range });
    const [mine, others] = [await read(), await read('a', bob)];
    expect(mine).toEqual(others);
    expect(mine?.range).toEqual(comment('a', turnId).annotation.range);
    expect(mine && placeNow(mine)).toEqual({ resource: mine?.resource, range });
    const quote = `${LINES[4]}\n${LINES[5]}`;
    write(...LINES.slice(0, 4), 'throw new Error();', ...LINES.slice(6));
    await becomes({ state: 'outdated', turnId, quote });
    rmSync(file());
    await becomes({ state: 'outdated', turnId, quote });
    write(...LINES);
    await becomes({ state: 'here', turnId });
    await expect.poll(() => bob.actionsOn(channel)).toEqual(client.actionsOn(channel));
  });

  it('are those of the turn, also when the file has changed before the comment', async () => {
    const turnId = await written();
    await turn(client, chat, '/auto on\n/replace code.ts const value0 => // a new line\\nconst value0');
    await accepted(client, channel, comment('a', turnId));
    await becomes({
      state: 'moved',
      turnId,
      range: { start: { line: 5, character: 6 }, end: { line: 6, character: 9 } },
    });
  });

  it('are those that the client saw, if it says so', async () => {
    const turnId = await written();
    write('// by hand', ...LINES);
    const seen = `${LINES[3]}\n${LINES[4]}`; // lines 4 and 5 as they are now
    await accepted(client, channel, comment('a', turnId, { _meta: { 'moorage.lines': seen } }));
    await becomes({ state: 'here', turnId });
    write('// by hand', '// again', ...LINES);
    await becomes({
      state: 'moved',
      turnId,
      range: { start: { line: 5, character: 6 }, end: { line: 6, character: 9 } },
    });
    await accepted(client, channel, comment('b', turnId, { _meta: { 'moorage.lines': 'never there' } }));
    await becomes({ state: 'outdated', turnId }, 'b');
  });

  it('are followed into a file that a turn renamed', async () => {
    const turnId = await written();
    await accepted(client, channel, comment('a', turnId));
    await becomes({ state: 'here', turnId });
    await turn(client, chat, '/auto on\n/rename code.ts moved.ts');
    const resource = `${host.workspaceUri}/moved.ts`;
    await becomes({ state: 'moved', turnId, resource });
  });

  it('are looked for again after the host was away', async () => {
    const turnId = await written();
    await accepted(client, channel, comment('a', turnId));
    await becomes({ state: 'here', turnId });
    await host.stop();
    write('// while nobody looked', ...LINES);
    await host.start();
    client = await host.client();
    // Already the first that anybody sees of them is right.
    expect(await anchor()).toEqual({
      state: 'moved',
      turnId,
      range: { start: { line: 5, character: 6 }, end: { line: 6, character: 9 } },
    });
  });

  it('are what the host says they are, whatever a client claims', async () => {
    const turnId = await written();
    const claim = { _meta: { color: 'red', 'moorage.anchor': { state: 'outdated', turnId: 'none' } } };
    await accepted(bob, channel, comment('a', turnId, claim));
    await expect
      .poll(async () => (await read())?._meta, PATIENT)
      .toEqual({
        color: 'red',
        'moorage.anchor': { state: 'here', turnId },
      });
    await accepted(bob, channel, comment('a', turnId)); // replaces all of it
    await becomes({ state: 'here', turnId });
    const outside = { resource: 'file:///etc/hostname', ...claim };
    await accepted(bob, channel, comment('b', turnId, outside));
    await expect.poll(async () => (await read('b'))?._meta, PATIENT).toEqual({ color: 'red' });
  });

  it('may be a whole file, or lines that are not there', async () => {
    const turnId = await written();
    await accepted(client, channel, comment('a', turnId, { range: undefined }));
    await becomes({ state: 'here', turnId });
    const far = { start: { line: 900, character: 0 }, end: { line: 900, character: 1 } };
    await accepted(client, channel, comment('b', turnId, { range: far }));
    await becomes({ state: 'outdated', turnId }, 'b');
    await accepted(client, channel, {
      type: 'annotations/updated',
      annotationId: 'b',
      range: { start: { line: 0, character: 0 }, end: { line: 0, character: 5 } },
    });
    await becomes({ state: 'here', turnId }, 'b');
    rmSync(file());
    await becomes({ state: 'outdated', turnId });
  });

  it('are followed without changesets, too, and never outside of the folder', async () => {
    await host.dispose();
    await start({ workspaces: undefined } as never);
    const turnId = await written();
    await accepted(client, channel, comment('a', turnId));
    await becomes({ state: 'here', turnId });
    write('// first', ...LINES);
    await expect.poll(() => anchor(), PATIENT).toMatchObject({ state: 'moved' });
    mkdirSync(join(host.workspace, 'sub'));
    const up = `${host.workspaceUri}/sub/../../elsewhere.ts`;
    await accepted(client, channel, comment('b', turnId, { resource: up }));
    await client.sync();
    expect(await anchor('b')).toBeUndefined();
    expect(readFileSync(file(), 'utf8')).toContain('// first');
  });
});

describe('annotations and their session', () => {
  it('stay when turns are cut off, and go with the session (OQ-57)', async () => {
    const turnId = await written();
    await accepted(client, channel, comment('a', turnId));
    await becomes({ state: 'here', turnId });
    await accepted(client, chat, { type: 'chat/truncated' });
    expect(await anchor()).toEqual({ state: 'here', turnId });
    await client.request('disposeSession', { channel: session });
    expect((await client.refused('subscribe', { channel })).code).toBe(-32008);
  });

  it('are bounded', async () => {
    const refused = async (action: object) => (await client.act(channel, action)).rejectionReason;
    const text = 'x'.repeat(300_000);
    expect(await refused(comment('a', 't', { entries: [{ id: '1', text }] }))).toContain('too large');
    expect(await refused(comment('x'.repeat(300), 't'))).toContain('256 characters');
    const entries = Array.from({ length: 501 }, (_, index) => ({ id: `${index}`, text: 'x' }));
    expect(await refused(comment('a', 't', { entries }))).toContain('500 entries');
    expect(await refused(comment('a', 't', { entries: [entries[0], entries[0]] }))).toContain('same id');
    const backwards = { start: { line: 5, character: 0 }, end: { line: 4, character: 0 } };
    expect(await refused(comment('a', 't', { range: backwards }))).toContain('range');
    await accepted(client, channel, comment('a', 't'));
    expect(await refused({ type: 'annotations/updated', annotationId: 'a', range: backwards })).toContain('range');
    const entry = { id: 'a-2', text };
    expect(await refused({ type: 'annotations/entrySet', annotationId: 'a', entry })).toContain('too large');
    const moved = { type: 'annotations/updated', annotationId: 'a', resource: `file:///${'x'.repeat(256 * 1024)}` };
    expect(await refused(moved)).toContain('too large');
    expect((await read())?.entries).toHaveLength(1);
  });
});

it('an unsubscribe counts that comes while the subscribe before it still waits for the files (B-50)', async () => {
  const turnId = await written();
  await accepted(client, channel, comment('a', turnId));
  await becomes({ state: 'here', turnId });
  for (const watcher of [client, bob]) {
    watcher.peer.notify('unsubscribe', { channel });
    await watcher.sync();
  }
  const subscribing = bob.request('subscribe', { channel });
  bob.peer.notify('unsubscribe', { channel });
  expect((await subscribing).snapshot).toMatchObject({ resource: channel });
  const heard = bob.actionsOn(channel).length;
  await client.subscribe(channel);
  await accepted(client, channel, comment('b', turnId));
  await bob.sync();
  expect(bob.actionsOn(channel)).toHaveLength(heard);
  await bob.subscribe(channel);
  await accepted(client, channel, comment('c', turnId));
  await expect.poll(() => bob.actionsOn(channel).length, PATIENT).toBeGreaterThan(heard);
});

import { type AnnotationsState, ROOT_URI, type SessionState } from '@moorage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepted, reasonFor } from '../support/actions.js';
import { TestHost } from '../support/test-host.js';
import type { WireClient } from '../support/wire-client.js';

let host: TestHost;
let client: WireClient;
let bob: WireClient;
let session: string;
let channel: string;
beforeEach(async () => {
  host = await TestHost.start();
  client = await host.client({ subscriptions: [ROOT_URI] });
  ({ session } = await host.session(client));
  channel = `${session}/annotations`;
  bob = await host.client({ subscriptions: [channel] });
  await client.subscribe(channel);
});
afterEach(() => host.dispose());

const entry = (id: string, text: unknown = `text of ${id}`) => ({ id, text });
const annotation = (id: string, more: object = {}) => ({
  id,
  origin: { session, turnId: 'any-turn' },
  resource: 'file:///src/a.ts',
  resolved: false,
  entries: [entry(`${id}-1`)],
  ...more,
});
const set = (value: object) => ({ type: 'annotations/set', annotation: value });
const update = (annotationId: string, more: object) => ({ type: 'annotations/updated', annotationId, ...more });
const remove = (annotationId: string) => ({ type: 'annotations/removed', annotationId });
const setEntry = (annotationId: string, value: object) => ({
  type: 'annotations/entrySet',
  annotationId,
  entry: value,
});
const removeEntry = (annotationId: string, entryId: string) => ({
  type: 'annotations/entryRemoved',
  annotationId,
  entryId,
});
const state = async (from = client) => (await from.subscribe<AnnotationsState>(channel)).annotations;

const RANGE = { start: { line: 1, character: 0 }, end: { line: 2, character: 5 } };

describe('annotations', () => {
  it('are threads that any client starts, changes and ends (B-269, B-271, B-272, B-273)', async () => {
    await accepted(client, channel, set(annotation('a', { range: RANGE, _meta: { color: null } })));
    expect(await state()).toEqual([annotation('a', { range: RANGE, _meta: { color: null } })]);
    await accepted(bob, channel, setEntry('a', entry('a-2', { markdown: '**indeed**' })));
    await accepted(client, channel, setEntry('a', entry('a-1', 'edited')));
    await accepted(
      bob,
      channel,
      update('a', { resolved: true, origin: { session, turnId: 'later' }, resource: 'file:///src/b.ts' }),
    );
    const entries = [entry('a-1', 'edited'), entry('a-2', { markdown: '**indeed**' })];
    expect(await state()).toMatchObject([
      {
        id: 'a',
        resolved: true,
        origin: { session, turnId: 'later' },
        resource: 'file:///src/b.ts',
        range: RANGE,
        entries,
      },
    ]);
    await accepted(client, channel, update('a', { resolved: false }));
    await accepted(client, channel, removeEntry('a', 'a-1'));
    expect(await state()).toMatchObject([{ resolved: false, entries: [entries[1]] }]);
    await accepted(bob, channel, set(annotation('a', { resolved: true })));
    expect(await state()).toEqual([annotation('a', { resolved: true })]); // only this way a range goes
    await accepted(client, channel, set(annotation('b')));
    await accepted(client, channel, remove('a'));
    expect(await state()).toEqual([annotation('b')]);
    await bob.sync();
    expect(bob.actionsOn(channel)).toEqual(client.actionsOn(channel));
  });

  it('always have an entry and an id, and start unresolved (B-270, OQ-82)', async () => {
    await accepted(client, channel, set(annotation('a')));
    const before = await state();
    const cases: [object, string][] = [
      [set(annotation('new', { entries: [] })), 'needs an entry'],
      [set(annotation('a', { entries: [] })), 'needs an entry'],
      [set(annotation('new', { resolved: true })), 'not resolved yet'],
      [set(annotation('')), 'empty'],
      [set(annotation('new', { entries: [entry('')] })), 'empty'],
      [setEntry('a', entry('')), 'empty'],
      [removeEntry('a', 'a-1'), 'last entry'],
      [removeEntry('a', 'unknown'), '"unknown"'],
      [removeEntry('unknown', 'a-1'), '"unknown"'],
      [setEntry('unknown', entry('x')), '"unknown"'],
      [update('unknown', { resolved: true }), '"unknown"'],
      [remove('unknown'), '"unknown"'],
    ];
    for (const [action, reason] of cases) {
      expect([action, await reasonFor(client, channel, action)]).toEqual([action, expect.stringContaining(reason)]);
    }
    expect(await state()).toEqual(before);
    await bob.sync();
    expect(bob.actionsOn(channel)).toHaveLength(1);
  });

  it('of a session have an end, within which they can still be changed', async () => {
    for (let count = 1; count <= 2_000; count++) client.dispatch(channel, set(annotation(`a${count}`)));
    expect(await reasonFor(client, channel, set(annotation('one-more')))).toContain('can have 2000 annotations');
    await accepted(client, channel, set(annotation('a1', { range: RANGE })));
    await accepted(client, channel, remove('a2'));
    await accepted(client, channel, set(annotation('one-more')));
    expect(await state()).toHaveLength(2_000);
  });

  it('are counted in the summary of the session (B-120, B-274, OQ-82)', async () => {
    const changesBy = async (action: object) => {
      await client.sync();
      const heard = client.notifications.length;
      await accepted(client, channel, action);
      await client.sync();
      return client.notifications.slice(heard).map(({ params }) => (params as { changes: object }).changes);
    };
    const counts = (annotationCount: number, entryCount: number) => ({
      resource: channel,
      annotationCount,
      entryCount,
    });
    expect(await changesBy(set(annotation('a')))).toEqual([{ annotations: counts(1, 1) }]);
    expect(await changesBy(setEntry('a', entry('a-2')))).toEqual([{ annotations: counts(1, 2) }]);
    expect(await changesBy(setEntry('a', entry('a-2', 'edited')))).toEqual([]);
    expect(await changesBy(update('a', { resolved: true }))).toEqual([]);
    expect(await changesBy(set(annotation('b')))).toEqual([{ annotations: counts(2, 3) }]);
    expect(await changesBy(removeEntry('a', 'a-1'))).toEqual([{ annotations: counts(2, 2) }]);
    expect(await changesBy(remove('a'))).toEqual([{ annotations: counts(1, 1) }]);
    expect((await client.subscribe<SessionState>(session)).annotations).toEqual(counts(1, 1));
    const { items } = await client.request('listSessions', { channel: ROOT_URI });
    expect(items[0]?.annotations).toEqual(counts(1, 1));
  });

  it('outlive the host, however it ends', async () => {
    await accepted(client, channel, set(annotation('a')));
    await accepted(client, channel, setEntry('a', entry('a-2')));
    const before = await state();
    const check = async (other: TestHost) => {
      const reader = await other.client();
      expect(await state(reader)).toEqual(before);
      const summary = await reader.subscribe<SessionState>(session);
      expect(summary.annotations).toEqual({ resource: channel, annotationCount: 1, entryCount: 2 });
    };
    const crashed = await host.afterCrash();
    await check(crashed);
    await crashed.dispose();
    await host.restart();
    await check(host);
  });
});

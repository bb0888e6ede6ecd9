import { createTransportPair, type Transport } from '@moorage/protocol';
import { describe, expect, it } from 'vitest';
import { connect, RequestError, readStatus, when } from '../src/index.js';
import { settled } from './support/fake-clock.js';
import { outcome, quiet, reconnect, rig } from './support/rig.js';
import { CHAT, SESSION, TERMINAL, title } from './support/samples.js';

const summary = (name: string, modifiedAt = '2026-01-01T00:00:00.000Z') => ({
  resource: `ahp-session:/${name}`,
  provider: 'mock',
  title: name,
  status: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  modifiedAt,
});

describe('when', () => {
  it('waits for the confirmed state, not for what this client hopes', async () => {
    const { client, host, clock } = await rig();
    host.decide = () => ({ reject: 'no' });
    const session = await client.session(SESSION);
    const renamed = outcome(when(session, (state) => state.title === 'Mine'));
    session.dispatch(title('Mine'));
    await quiet({ clock });
    expect(renamed.state).toBe('open');
    host.emit(SESSION, title('Mine'));
    await quiet({ clock });
    expect(renamed).toMatchObject({ state: 'kept', value: true });
  });

  it('rejects when the mirror is gone, when it is aborted, and when the predicate throws', async () => {
    const { client, clock } = await rig();
    const session = await client.session(SESSION);
    const never = (options = {}) => outcome(when(session, () => false, options));
    const controller = new AbortController();
    const [gone, aborted] = [never(), never({ signal: controller.signal })];
    const thrown = outcome(
      when(session, () => {
        throw new Error('mine');
      }),
    );
    controller.abort(new Error('enough'));
    await settled();
    expect(aborted.error).toMatchObject({ message: 'enough' });
    expect(thrown.error).toMatchObject({ message: 'mine' });
    expect(gone.state).toBe('open');
    client.close();
    await quiet({ clock });
    expect(gone.error).toBeInstanceOf(RequestError);
  });
});

describe('a channel of another kind', () => {
  it('is refused with what to do instead', async () => {
    const { client } = await rig();
    await expect(client.chat(SESSION)).rejects.toThrow(/open the session with client\.session\(uri\).*defaultChat/);
    await expect(client.session(TERMINAL)).rejects.toThrow(/open it with client\.terminal\(uri\)/);
  });
});

describe('an abort signal', () => {
  it('gives up connecting, and leaves no connection behind', async () => {
    const controller = new AbortController();
    const [late, other] = createTransportPair();
    let isClosed = false;
    other.onClose(() => {
      isClosed = true;
    });
    let open = (_transport: Transport) => {};
    const transport = () =>
      new Promise<Transport>((resolve) => {
        open = resolve;
      });
    const connecting = outcome(connect({ transport, signal: controller.signal }));
    controller.abort();
    await settled();
    expect(connecting.error).toMatchObject({ name: 'AbortError' });
    open(late);
    await settled();
    expect(isClosed).toBe(true);
  });

  it('withdraws a request that waits for a connection', async () => {
    const { client, host, network, clock } = await rig();
    await network.drop();
    const controller = new AbortController();
    const waiting = outcome(client.request('listSessions', {}, { signal: controller.signal }));
    controller.abort();
    await settled();
    expect(waiting.error).toMatchObject({ name: 'AbortError' });
    clock.advance(clock.nextIn ?? 0);
    await quiet({ clock });
    expect(client.status).toBe('live');
    expect(host.heard.some(({ method }) => method === 'listSessions')).toBe(false);
  });

  it('stops the wait for an answer, and does not send what is aborted already', async () => {
    const { client, host } = await rig();
    host.onRequest = (method) => (method === 'listSessions' ? new Promise(() => {}) : undefined);
    const controller = new AbortController();
    const waiting = outcome(client.request('listSessions', {}, { signal: controller.signal }));
    await settled();
    controller.abort();
    await expect(client.request('ping', {}, { signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(waiting.error).toMatchObject({ name: 'AbortError' });
    expect(host.heard.map(({ method }) => method)).toEqual(['initialize', 'listSessions']);
  });
});

it('closes with `await using`, and releases with `using`', async () => {
  const { client } = await rig();
  const chat = await client.chat(CHAT);
  chat[Symbol.dispose]();
  expect(chat.status).toBe('gone');
  await client[Symbol.asyncDispose]();
  expect(client.status).toBe('closed');
});

it('reads a status without the trap of its bits', () => {
  const activities = [1, 2, 8, 24, 16, 24 | 32].map((status) => readStatus(status).activity);
  expect(activities).toEqual(['idle', 'failed', 'running', 'waiting', 'unknown', 'waiting']);
  expect(readStatus(8 | 32 | 64)).toEqual({ activity: 'running', isRead: true, isArchived: true });
});

describe('the list of sessions', () => {
  it('lists again after a reconnect, as much as was loaded', async () => {
    const { client, host, network, clock } = await rig();
    let names = ['a', 'b', 'c', 'd'];
    host.onRequest = (method, { cursor = 0, limit }) => {
      if (method !== 'listSessions') return undefined;
      const end = Number(cursor) + Number(limit);
      const items = names.slice(Number(cursor), end).map((name) => summary(name));
      return end < names.length ? { items, nextCursor: String(end) } : { items };
    };
    const list = await client.sessions({ pageSize: 1 });
    await list.loadMore();
    const statuses: string[] = [];
    list.subscribe(({ status }) => statuses.push(status));
    names = ['b', 'c', 'd'];
    await reconnect({ network, clock });
    expect(list.items.map(({ title }) => title)).toEqual(['b', 'c']);
    expect([statuses.includes('stale'), list.status, list.hasMore]).toEqual([true, 'live', true]);
  });

  it('keeps what changed while a page was on its way', async () => {
    const { client, host } = await rig();
    let answer = (_result: unknown) => {};
    host.onRequest = (method) => {
      if (method !== 'listSessions') return undefined;
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    const opening = client.sessions();
    await settled();
    const notify = (method: string, params: object) => {
      for (const { peer } of host.connections) peer.notify(method, { channel: 'ahp-root://', ...params });
    };
    notify('root/sessionRemoved', { session: 'ahp-session:/old' });
    notify('root/sessionSummaryChanged', { session: 'ahp-session:/a', changes: { title: 'New' } });
    answer({ items: [summary('old'), summary('a')] });
    expect((await opening).items).toMatchObject([{ title: 'New' }]);
  });

  it('is sorted by the latest change, and is the same array until something changes', async () => {
    const { client, host } = await rig();
    host.onRequest = (method) =>
      method === 'listSessions'
        ? { items: [summary('a'), summary('b', '2026-02-01T00:00:00.000Z'), summary('c')] }
        : undefined;
    const list = await client.sessions();
    expect(list.items.map(({ title }) => title)).toEqual(['b', 'a', 'c']);
    expect(list.items).toBe(list.items);
    list.release();
    await expect(list.loadMore()).rejects.toThrow(/released/);
  });
});

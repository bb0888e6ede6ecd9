import { describe, expect, it, vi } from 'vitest';
import { MAX_PENDING_ACTIONS } from '../src/channels/channel.js';
import { REFRESH_INTERVAL_MS } from '../src/channels/refresher.js';
import { NotDeliveredError, RejectedError, RequestError, RpcError } from '../src/index.js';
import { settled } from './support/fake-clock.js';
import { outcome, quiet, rig } from './support/rig.js';
import {
  ANNOTATIONS,
  busyChat,
  CHAT,
  chatState,
  data,
  delta,
  queued,
  ROOT,
  SESSION,
  TERMINAL,
  terminalState,
  title,
} from './support/samples.js';

describe('subscribing', () => {
  it('has the root channel from the handshake on, without asking again', async () => {
    const { client, host } = await rig();
    const root = await client.root();
    expect(root).toMatchObject({ uri: ROOT, kind: 'root', status: 'live', confirmed: { agents: [] }, pendingCount: 0 });
    expect(host.heard.map(({ method }) => method)).toEqual(['initialize']);
  });

  it('keeps the root channel, without which there are no notifications, and lets others go', async () => {
    const { client, host } = await rig({ initialSubscriptions: [ROOT, SESSION] });
    for (const uri of [ROOT, SESSION]) (await client.subscribe(uri)).release();
    await settled();
    expect(host.heard.slice(1)).toMatchObject([{ method: 'unsubscribe', params: { channel: SESSION } }]);
  });

  it('knows each kind by its URI', async () => {
    const { client } = await rig();
    const kinds = await Promise.all([SESSION, CHAT, TERMINAL, ANNOTATIONS].map((uri) => client.subscribe(uri)));
    expect(kinds.map(({ kind }) => kind)).toEqual(['session', 'chat', 'terminal', 'annotations']);
  });

  it('takes the kind of a foreign URI from the caller', async () => {
    const { client, host } = await rig();
    host.add('copilot:/x', 'chat', busyChat());
    await expect(client.subscribe('copilot:/x')).rejects.toMatchObject({ name: 'RequestError', kind: 'invalid' });
    const mirror = await client.subscribe('copilot:/x', { kind: 'chat' });
    expect(mirror.confirmed.activeTurn?.id).toBe('t');
    await expect(client.session('copilot:/x')).rejects.toThrow('is open as chat');
    await expect(client.subscribe('mcp://server')).rejects.toThrow('without state');
  });

  it('has one subscription for all holders and ends it with the last', async () => {
    const { client, host } = await rig();
    const [one, two] = await Promise.all([client.chat(CHAT), client.chat(CHAT)]);
    const three = await client.chat(CHAT);
    const unsubscribed = () => host.heard.filter(({ method }) => method === 'unsubscribe');
    expect(host.heard.filter(({ method }) => method === 'subscribe')).toHaveLength(1);
    one.release();
    one.release();
    two.release();
    await settled();
    expect(unsubscribed()).toEqual([]);
    expect([one.status, three.status]).toEqual(['gone', 'live']);
    three.release();
    await settled();
    expect(unsubscribed()).toMatchObject([{ params: { channel: CHAT } }]);
  });

  it('counts a holder that still waits when another one leaves at once', async () => {
    const { client, host } = await rig();
    const first = client.chat(CHAT).then((mirror) => mirror.release());
    const second = client.chat(CHAT);
    await first;
    const mirror = await second;
    await settled();
    expect(mirror.status).toBe('live');
    expect(host.heard.some(({ method }) => method === 'unsubscribe')).toBe(false);
  });

  it('gives the host’s error to everyone who waits, and asks anew next time', async () => {
    const { client, host } = await rig();
    const attempts = [client.chat('ahp-chat:/none'), client.chat('ahp-chat:/none')];
    for (const attempt of attempts) await expect(attempt).rejects.toBeInstanceOf(RpcError);
    host.add('ahp-chat:/none', 'chat', chatState());
    await expect(client.chat('ahp-chat:/none')).resolves.toMatchObject({ status: 'live' });
  });

  it('applies envelopes that overtake the snapshot (B-53)', async () => {
    const { client, host } = await rig();
    host.onRequest = (method) => {
      if (method !== 'subscribe') return undefined;
      const snapshot = { resource: CHAT, state: busyChat(), fromSeq: 20 };
      for (const [serverSeq, text] of [
        [19, 'old'],
        [21, 'new'],
        [22, 'er'],
      ] as const) {
        host.notify('action', { channel: CHAT, serverSeq, action: delta(text) });
      }
      return { snapshot };
    };
    const chat = await client.chat(CHAT);
    expect(chat.confirmed.activeTurn?.responseParts).toMatchObject([{ content: 'newer' }]);
  });

  it('refuses a snapshot that is not of its kind, and leaves the channel', async () => {
    const { client, host } = await rig();
    host.onRequest = (method) =>
      method === 'subscribe' ? { snapshot: { resource: CHAT, state: { agents: [] }, fromSeq: 1 } } : undefined;
    await expect(client.chat(CHAT)).rejects.toMatchObject({ name: 'RequestError', kind: 'invalid' });
    await settled();
    expect(host.heard.at(-1)).toMatchObject({ method: 'unsubscribe', params: { channel: CHAT } });
  });
});

describe('a mirror', () => {
  it('tells its listeners once per turn, whatever the number of actions', async () => {
    const r = await rig();
    const chat = await r.client.chat(CHAT);
    const listener = vi.fn();
    const actions: number[] = [];
    chat.subscribe(listener);
    chat.onAction(({ serverSeq }) => actions.push(serverSeq));
    for (let i = 0; i < 50; i++) r.host.emit(CHAT, delta('x'));
    await quiet(r);
    expect(listener.mock.calls).toEqual([[chat]]);
    expect(actions).toHaveLength(50);
    expect(chat.confirmed.activeTurn?.responseParts).toMatchObject([{ content: 'x'.repeat(50) }]);
  });

  it('has what arrived as soon as somebody looks, before listeners are told', async () => {
    const r = await rig();
    const chat = await r.client.chat(CHAT);
    const listener = vi.fn();
    chat.subscribe(listener);
    r.host.emit(CHAT, delta('x'));
    await r.client.request('ping');
    expect(chat.confirmed.activeTurn?.responseParts).toMatchObject([{ content: 'x' }]);
    expect(listener).not.toHaveBeenCalled();
    await quiet(r);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('tells a holder that comes right behind the snapshot of every action', async () => {
    const r = await rig();
    const subscribed = r.client.terminal(TERMINAL);
    await Promise.resolve();
    const seen: unknown[] = [];
    void subscribed.then((terminal) => terminal.onAction(({ action }) => seen.push(action)));
    await settled();
    r.host.emit(TERMINAL, data('a'));
    await quiet(r);
    expect(seen).toEqual([data('a')]);
  });

  it('tells nobody when nothing changed, but shows the actions', async () => {
    const r = await rig();
    r.host.add('ahp-resource-watch:/w', 'resourceWatch', { root: 'file:///p', recursive: true });
    const watch = await r.client.resourceWatch('ahp-resource-watch:/w');
    const changed = vi.fn();
    const acted = vi.fn();
    watch.subscribe(changed);
    watch.onAction(acted);
    r.host.emit('ahp-resource-watch:/w', {
      type: 'resourceWatch/changed',
      changes: { items: [{ uri: 'file:///p/a', type: 'added' }] },
    });
    await quiet(r);
    expect(changed).not.toHaveBeenCalled();
    expect(acted).toHaveBeenCalledTimes(1);
  });

  it('stops telling those who left, and goes on when a listener throws', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    const listener = vi.fn();
    session.subscribe(() => {
      throw new Error('mine');
    });
    const stop = session.subscribe(listener);
    r.host.emit(SESSION, title('1'));
    await quiet(r);
    stop();
    r.host.emit(SESSION, title('2'));
    await quiet(r);
    expect(listener).toHaveBeenCalledTimes(1);
    expect(r.errors).toMatchObject([{ message: 'mine' }, { message: 'mine' }]);
  });

  it('ignores actions for channels that it left', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    const before = session.confirmed;
    session.release();
    r.host.notify('action', { channel: SESSION, serverSeq: 99, action: title('late') });
    await quiet(r);
    expect(session.confirmed).toBe(before);
    expect(r.errors).toEqual([]);
  });
});

describe('dispatching', () => {
  it('shows the action at once and resolves with the echo', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    const listener = vi.fn();
    session.subscribe(listener);
    const echo = session.dispatch(title('Mine'));
    expect(session.optimistic.title).toBe('Mine');
    expect(session.confirmed.title).toBe('A session');
    expect(session.pendingCount).toBe(1);
    await quiet(r);
    await expect(echo).resolves.toMatchObject({ origin: { clientId: 'me', clientSeq: 1 }, action: title('Mine') });
    expect(session.confirmed.title).toBe('Mine');
    expect(session.pendingCount).toBe(0);
    expect(session.optimistic).toBe(session.confirmed);
    await quiet(r);
    expect(listener).toHaveBeenCalled();
  });

  it('reverts and rejects with the reason', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    r.host.decide = () => ({ reject: 'not now' });
    const result = outcome(session.dispatch(title('Mine')));
    await quiet(r);
    expect(result.error).toBeInstanceOf(RejectedError);
    expect(result.error).toMatchObject({ reason: 'not now', envelope: { channel: SESSION } });
    expect(session.optimistic).toBe(session.confirmed);
    expect(session.confirmed.title).toBe('A session');
  });

  it('numbers over all channels and matches answers in any order', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    const chat = await r.client.chat(CHAT);
    r.host.decide = ({ clientSeq }) => (clientSeq < 3 ? 'defer' : 'accept');
    const order: number[] = [];
    const note = (n: number) => () => order.push(n);
    void session.dispatch(title('1')).then(note(1));
    void session.dispatch(title('2')).then(note(2));
    void chat.dispatch(queued('q', 'x')).then(note(3));
    void session.dispatch(title('4')).then(note(4));
    await quiet(r);
    expect(order.toSorted()).toEqual([3, 4]);
    expect(session.confirmed.title).toBe('4');
    expect(session.optimistic.title).toBe('2');
    r.host.releaseDeferred();
    await quiet(r);
    expect(order.slice(2)).toEqual([2, 1]);
    expect(session.optimistic.title).toBe('1');
  });

  it('does not end the process when nobody looks at a rejection', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const r = await rig();
    const session = await r.client.session(SESSION);
    r.host.decide = () => ({ reject: 'no' });
    void session.dispatch(title('Mine'));
    void r.client.dispatch('ahp-session:/other', title('x'));
    await quiet(r);
    session.release();
    void session.dispatch(title('Late'));
    r.client.close();
    void r.client.dispatch(SESSION, title('Too late'));
    await quiet(r);
    await settled();
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('fails when the mirror was released, or its last holder leaves before the echo', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    r.host.decide = () => 'ignore';
    const left = outcome(session.dispatch(title('Mine')));
    session.release();
    await expect(session.dispatch(title('More'))).rejects.toMatchObject({ kind: 'released', sent: false });
    await quiet(r);
    expect(left.error).toBeInstanceOf(NotDeliveredError);
    expect(left.error).toMatchObject({ kind: 'released', sent: true, action: title('Mine') });
  });

  it('works without a mirror: sent is all there is to know', async () => {
    const r = await rig();
    await expect(r.client.dispatch(SESSION, title('Blind'))).resolves.toBeUndefined();
    await quiet(r);
    expect(r.host.state(SESSION)).toMatchObject({ title: 'Blind' });
    const session = await r.client.session(SESSION);
    const seen = r.client.dispatch(SESSION, title('Seen'));
    await quiet(r);
    await expect(seen).resolves.toMatchObject({ action: title('Seen') });
    expect(session.confirmed.title).toBe('Seen');
  });

  it('throws at once what cannot be written as JSON', async () => {
    const { client } = await rig();
    const session = await client.session(SESSION);
    const circular: Record<string, unknown> = { type: 'session/metaChanged' };
    circular._meta = circular;
    expect(() => session.dispatch(circular as never)).toThrow(TypeError);
    expect(session.pendingCount).toBe(0);
  });

  it('bounds what is pending', async () => {
    const { client, host } = await rig();
    const session = await client.session(SESSION);
    host.decide = () => 'ignore';
    for (let i = 0; i < MAX_PENDING_ACTIONS; i++) void session.dispatch(title(`${i}`));
    await expect(session.dispatch(title('one more'))).rejects.toMatchObject({ kind: 'overflow', sent: false });
    expect(session.pendingCount).toBe(MAX_PENDING_ACTIONS);
  });
});

describe('a channel that ends', () => {
  it('is gone when its session tells that the chat was removed (OQ-17)', async () => {
    const r = await rig();
    await r.client.session(SESSION);
    const chat = await r.client.chat(CHAT);
    const listener = vi.fn();
    chat.subscribe(listener);
    r.host.decide = () => 'ignore';
    const result = outcome(chat.dispatch(queued('q', 'x')));
    r.host.emit(CHAT, delta('last words'));
    r.host.emit(SESSION, { type: 'session/chatRemoved', chat: CHAT });
    r.host.remove(CHAT);
    await quiet(r);
    expect(chat.status).toBe('gone');
    expect(chat.confirmed.activeTurn?.responseParts).toMatchObject([{ content: 'last words' }]);
    expect(listener).toHaveBeenCalledTimes(1);
    expect(result.error).toMatchObject({ kind: 'gone' });
    await expect(chat.dispatch(queued('r', 'x'))).rejects.toMatchObject({ kind: 'gone', sent: false });
    chat.release();
    await settled();
    expect(r.host.heard.some(({ method }) => method === 'unsubscribe')).toBe(false);
  });

  it('is gone with its session', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    const annotations = await r.client.annotations(ANNOTATIONS);
    r.host.notify('root/sessionRemoved', { channel: ROOT, session: SESSION });
    await quiet(r);
    expect([session.status, annotations.status]).toEqual(['gone', 'gone']);
  });

  it('is gone when the list of terminals has it no more, and is asked for anew then (OQ-17)', async () => {
    const r = await rig();
    const terminal = await r.client.terminal(TERMINAL);
    const { title: name, claim, lifecycle } = terminalState();
    const listed = { resource: TERMINAL, title: name, claim, lifecycle };
    r.host.emit(ROOT, { type: 'root/terminalsChanged', terminals: [] }); // not listed yet
    r.host.emit(ROOT, { type: 'root/terminalsChanged', terminals: [listed] });
    await quiet(r);
    expect(terminal.status).toBe('live');
    r.host.decide = () => 'ignore';
    const result = outcome(terminal.dispatch({ type: 'terminal/input', data: 'x' }));
    r.host.emit(TERMINAL, data('last words'));
    r.host.emit(ROOT, { type: 'root/terminalsChanged', terminals: [] });
    r.host.remove(TERMINAL);
    await quiet(r);
    expect(terminal.status).toBe('gone');
    expect(JSON.stringify(terminal.confirmed.content)).toContain('last words');
    expect(result.error).toMatchObject({ kind: 'gone' });
    r.host.add(TERMINAL, 'terminal', terminalState({ title: 'another' }));
    expect(await r.client.terminal(TERMINAL)).toMatchObject({ status: 'live', confirmed: { title: 'another' } });
  });

  it('is gone when it says so itself: a changeset (OQ-17)', async () => {
    const r = await rig();
    const uri = 'ahp-changeset:/s/changeset/uncommitted';
    const file = { id: 'a', edit: {} };
    r.host.add(uri, 'changeset', { status: 'ready', files: [file] });
    const changeset = await r.client.changeset(uri);
    r.host.emit(uri, { type: 'changeset/cleared' });
    r.host.emit(uri, { type: 'changeset/disposed' });
    r.host.remove(uri);
    await quiet(r);
    expect(changeset).toMatchObject({ status: 'gone', confirmed: { files: [] } });
    await expect(r.client.changeset(uri)).rejects.toBeInstanceOf(RpcError);
  });

  it('is not gone by a removal that was rejected or is older than itself', async () => {
    const r = await rig();
    await r.client.session(SESSION);
    const chat = await r.client.chat(CHAT);
    const action = { type: 'session/chatRemoved', chat: CHAT };
    r.host.notify('action', { channel: SESSION, serverSeq: 99, action, rejectionReason: 'no' });
    r.host.notify('action', { channel: SESSION, serverSeq: 5, action });
    await quiet(r);
    expect(chat.status).toBe('live');
  });
});

describe('an envelope that cannot be read', () => {
  it('makes its mirror ask for a fresh snapshot', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    const other = await r.client.chat(CHAT);
    const statuses: string[] = [];
    session.subscribe(({ status }) => statuses.push(status));
    r.host.emitDamaged(SESSION, title('Unseen'), 'me', { action: { type: 'session/titleChanged', title: 7 } });
    r.host.emit(SESSION, { type: 'session/isReadChanged', isRead: true });
    await settled();
    expect(r.errors).toMatchObject([{ name: 'ProtocolError' }]);
    await quiet(r);
    expect(session.status).toBe('live');
    expect(session.confirmed).toEqual(r.host.state(SESSION));
    expect(other.status).toBe('live');
    expect(r.host.heard.filter(({ method }) => method === 'subscribe')).toHaveLength(3);
  });

  it('may have been the answer to an own action', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    r.host.decide = () => 'ignore';
    const result = outcome(session.dispatch(title('Mine')));
    await settled();
    const origin = { clientId: 'me', clientSeq: 1 };
    r.host.emitDamaged(SESSION, title('Mine'), 'me', { origin, serverSeq: 'x' });
    await quiet(r);
    expect(result.error).toMatchObject({ kind: 'replaced', sent: true });
    expect(session.confirmed.title).toBe('Mine');
  });

  it('before the first snapshot makes that one too old, and nothing is shown that lacks it', async () => {
    const r = await rig();
    let asked = 0;
    r.host.onRequest = (method) => {
      if (method !== 'subscribe') return undefined;
      asked++;
      if (asked > 1) return undefined;
      const snapshot = { resource: CHAT, state: r.host.state(CHAT), fromSeq: r.host.serverSeq };
      const [connection] = r.host.connections;
      connection?.subscriptions.add(CHAT);
      // Right behind the answer, before the client gets to think.
      queueMicrotask(() => {
        r.host.emit(CHAT, delta('a'));
        r.host.emitDamaged(CHAT, delta('b'), 'me', { serverSeq: 'x' });
        r.host.emit(CHAT, delta('c'));
      });
      return { snapshot };
    };
    const chat = await r.client.chat(CHAT);
    const shown = new Set([JSON.stringify(chat.confirmed.activeTurn?.responseParts)]);
    chat.subscribe(({ confirmed }) => shown.add(JSON.stringify(confirmed.activeTurn?.responseParts)));
    expect(chat.status).toBe('stale');
    await quiet(r);
    expect([...shown].map((text) => JSON.parse(text)[0].content)).toEqual(['', 'abc']);
    expect([asked, chat.status]).toEqual([2, 'live']);
  });

  it('is asked for again only after a while when the snapshot is bad too', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    const asked = () => r.host.heard.filter(({ method }) => method === 'subscribe').length;
    r.host.onRequest = (method) => (method === 'subscribe' ? { snapshot: { resource: SESSION } } : undefined);
    r.host.emitDamaged(SESSION, title('Unseen'), 'me', { action: 1 });
    await quiet(r);
    expect([session.status, asked()]).toEqual(['stale', 2]);
    r.host.onRequest = () => undefined;
    r.clock.advance(REFRESH_INTERVAL_MS);
    await quiet(r);
    expect([session.status, asked()]).toEqual(['live', 3]);
    expect(session.confirmed.title).toBe('Unseen');
  });

  it('while the answer is under way makes that answer void', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    const damage = { action: { type: 'session/titleChanged' } };
    for (const text of ['a', 'b', 'c']) r.host.emitDamaged(SESSION, title(text), 'me', damage);
    await quiet(r);
    expect(session.status).toBe('stale');
    r.clock.advance(REFRESH_INTERVAL_MS);
    await quiet(r);
    expect(session.confirmed.title).toBe('c');
    expect(r.host.heard.filter(({ method }) => method === 'subscribe')).toHaveLength(3);
  });

  it('does not end the mirror when the host has trouble of its own', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    r.host.onRequest = (method) => (method === 'subscribe' ? Promise.reject(new Error('trouble')) : undefined);
    r.host.emitDamaged(SESSION, title('Unseen'), 'me', { action: 1 });
    await quiet(r);
    expect(session.status).toBe('stale');
    r.host.onRequest = () => undefined;
    r.clock.advance(REFRESH_INTERVAL_MS);
    await quiet(r);
    expect(session.confirmed.title).toBe('Unseen');
  });

  it('does not end a program that has no `onError` either', async () => {
    const r = await rig({ onError: undefined });
    const session = await r.client.session(SESSION);
    const thrown: unknown[] = [];
    const keep = (error: unknown) => void thrown.push(error);
    process.once('uncaughtException', keep);
    r.host.onRequest = (method) => (method === 'subscribe' ? Promise.reject(new Error('trouble')) : undefined);
    r.host.emitDamaged(SESSION, title('Unseen'), 'me', { action: 1 });
    await quiet(r);
    process.off('uncaughtException', keep);
    expect([session.status, thrown]).toEqual(['stale', []]);
  });

  it('ends the mirror when the host knows the channel no more', async () => {
    const r = await rig();
    const session = await r.client.session(SESSION);
    r.host.emitDamaged(SESSION, title('Unseen'), 'me', { action: 1 });
    r.host.remove(SESSION);
    await quiet(r);
    expect(session.status).toBe('gone');
  });

  it('of no channel changes nothing', async () => {
    const r = await rig();
    r.host.notify('action', { nonsense: true });
    r.host.notify('action', []);
    await quiet(r);
    expect(r.errors).toHaveLength(2);
    expect(r.client.status).toBe('live');
  });

  it('with nulls for what is absent is read all the same (OQ-24, OQ-25)', async () => {
    const r = await rig();
    const summary = { resource: CHAT, title: 'A chat', status: 1, modifiedAt: 'x', activity: 'busy' };
    const session = await r.client.session(SESSION);
    r.host.emit(SESSION, { type: 'session/chatAdded', summary });
    const base = { channel: SESSION, origin: null, rejectionReason: null };
    r.host.notify('action', { ...base, serverSeq: 50, action: { type: 'session/activityChanged', activity: null } });
    const changes = { activity: null, title: 'B' };
    r.host.notify('action', { ...base, serverSeq: 51, action: { type: 'session/chatUpdated', chat: CHAT, changes } });
    await quiet(r);
    expect(r.errors).toEqual([]);
    expect(session.confirmed.chats[0]).toMatchObject({ title: 'B', activity: undefined });
  });
});

it('is a RequestError to subscribe to a closed client', async () => {
  const { client } = await rig();
  client.close();
  await expect(client.chat(CHAT)).rejects.toBeInstanceOf(RequestError);
});

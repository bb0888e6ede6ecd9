import { demoAgent } from '@moorage/agents/demo';
import type { Client, Mirror } from '@moorage/client';
import { type AnnotationsState, annotationsUri, type ChannelKind, type StateAction } from '@moorage/protocol';
import { expect } from 'vitest';
import { idle, itConverges, type Step } from '../support/convergence.js';
import { comparable } from '../support/fold.js';
import { MemoryHost } from '../support/memory-host.js';
import { userMessage } from '../support/test-host.js';

const SESSION = 'ahp-session:/shared';
const CLIENTS = 3;

itConverges('all mirrors end up equal to the host, and nothing acknowledged is missing', {
  clients: CLIENTS,
  actions: 12,
  values: 5,
  weights: { dispatch: 20, cut: 2, restart: 1, crash: 2, rest: 6 },
  runs: Number(process.env.CONVERGENCE_RUNS ?? 60),
  msPerRun: 500,
  create: () => World.create(),
});

interface Replica {
  readonly client: Client;
  readonly mirrors: Mirror<ChannelKind>[];
  readonly seqs: number[];
}

class World {
  readonly #host = new MemoryHost(() => [demoAgent({ isolation: 'none' })]);
  readonly #replicas: Replica[] = [];
  readonly #acknowledged: string[] = [];
  #outstanding = 0;
  #ids = 0;
  #chat = '';

  static async create(): Promise<World> {
    const world = new World();
    for (let index = 0; index < CLIENTS; index++) await world.#join(`client-${index}`);
    return world;
  }

  async do(next: Step): Promise<void> {
    switch (next.kind) {
      case 'dispatch':
        return this.#dispatch(next.client, next.action, next.value);
      case 'cut':
        return this.#host.cutAll();
      case 'restart':
        return this.#host.restart();
      case 'crash':
        return this.#host.crash();
      case 'rest':
        await idle(5);
    }
  }

  async check(): Promise<void> {
    const late = await this.#host.client('late');
    const chat = await late.chat(this.#chat);
    await until(() => {
      // A question that nobody answers holds back changes of the model: end its turn.
      const turnId = chat.confirmed.activeTurn?.id;
      if (turnId !== undefined && chat.pendingCount === 0)
        void chat.dispatch({ type: 'chat/turnCancelled', duration: 0, turnId });
      return this.#outstanding === 0 && this.#replicas.every(({ client }) => client.status === 'live');
    });
    // Rest until nothing moves: agents may still be at work.
    for (let before = -1; before !== this.#total(); ) {
      before = this.#total();
      await idle(30);
    }
    for (const { mirrors, seqs } of this.#replicas) {
      expect(seqs.every((seq, index) => index === 0 || seq > (seqs[index - 1] ?? 0))).toBe(true);
      for (const mirror of mirrors) {
        const truth = await late.subscribe(mirror.uri);
        expect(mirror.pendingCount).toBe(0);
        expect(comparable(mirror.kind, mirror.confirmed), mirror.uri).toEqual(comparable(mirror.kind, truth.confirmed));
        expect(mirror.optimistic).toEqual(mirror.confirmed);
      }
    }
    const annotations = (await late.annotations(annotationsUri(SESSION))).confirmed as AnnotationsState;
    const kept = new Set(annotations.annotations.map((annotation) => annotation.id));
    expect(this.#acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    for (const { client } of this.#replicas) client.close();
    late.close();
    await this.#host.close();
  }

  #total(): number {
    return this.#replicas.reduce((sum, { seqs }) => sum + seqs.length, 0);
  }

  async #join(clientId: string): Promise<void> {
    const client = await this.#host.client(clientId);
    if (this.#chat === '') await client.request('createSession', { channel: SESSION });
    const session = await client.session(SESSION);
    this.#chat = session.confirmed.defaultChat ?? '';
    const mirrors = [session, await client.chat(this.#chat), await client.annotations(annotationsUri(SESSION))];
    const seqs: number[] = [];
    client.on('action', ({ serverSeq }) => seqs.push(serverSeq));
    this.#replicas.push({ client, mirrors: mirrors as unknown as Mirror<ChannelKind>[], seqs });
  }

  #dispatch(index: number, kind: number, value: number): void {
    const replica = this.#replicas[index];
    const id = `${index}-${++this.#ids}`;
    const { channel, action } = this.#action(kind, value, id);
    const mirror = replica?.mirrors.find((candidate) => candidate.uri === channel);
    if (!mirror) return;
    this.#outstanding++;
    mirror
      .dispatch(action as never)
      .then(() => action.type === 'annotations/set' && this.#acknowledged.push(id))
      .catch(() => undefined) // rejected, or lost with the connection: both are told
      .finally(() => this.#outstanding--);
  }

  #action(kind: number, value: number, id: string): { channel: string; action: StateAction } {
    const chat = (action: StateAction) => ({ channel: this.#chat, action });
    const session = (action: StateAction) => ({ channel: SESSION, action });
    const pendingId = `pending-${value}`;
    switch (kind) {
      case 0:
        return session({ type: 'session/titleChanged', title: `title ${id}` });
      case 1:
        return session({ type: 'session/isReadChanged', isRead: value % 2 === 0 });
      case 2:
        return chat({
          type: 'chat/draftChanged',
          draft: { ...userMessage(`draft ${id}`), model: { id: `model-${value}` } },
        });
      case 3:
        return chat({
          type: 'chat/turnStarted',
          startedAt: '2026-01-01T00:00:00.000Z',
          turnId: id,
          message: userMessage(`/say ${id}\n/stream ${value * 3}`),
        });
      case 4:
        return chat({
          type: 'chat/pendingMessageSet',
          kind: 'queued',
          id: pendingId,
          message: userMessage('/say queued'),
        });
      case 5:
        return chat({ type: 'chat/pendingMessageRemoved', kind: 'queued', id: pendingId });
      case 6:
        return chat({ type: 'chat/queuedMessagesReordered', order: [pendingId] });
      case 7:
        return chat({
          type: 'chat/pendingMessageSet',
          kind: 'steering',
          id: pendingId,
          message: userMessage('/say steer'),
        });
      case 8:
        return chat({ type: 'chat/truncated' });
      case 9:
        return chat({
          type: 'chat/turnStarted',
          startedAt: '2026-01-01T00:00:00.000Z',
          turnId: id,
          message: userMessage(`/ask Well? | yes | no\n/say ${id}`),
        });
      case 10: {
        const active = this.#replicas[0]?.mirrors[1]?.confirmed as { activeTurn?: { id: string } } | undefined;
        return chat({ type: 'chat/turnCancelled', duration: 0, turnId: active?.activeTurn?.id ?? 'none' });
      }
      default: {
        const entries = [{ id: 'entry', text: `note ${id}` }];
        const origin = { session: SESSION, turnId: 't' };
        const annotation = { id, origin, resource: 'file:///a', resolved: false, entries };
        return { channel: annotationsUri(SESSION), action: { type: 'annotations/set', annotation } };
      }
    }
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (let look = 0; look < 100_000 && !condition(); look++) await idle(1);
  expect(condition()).toBe(true);
}

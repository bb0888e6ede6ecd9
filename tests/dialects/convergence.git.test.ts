import { demoAgent } from '@moorage/agents/demo';
import { expect } from 'vitest';
import { idle, itConverges, type Step } from '../support/convergence.js';
import { LegacyClient, type Version } from '../support/legacy/client.js';
import { activation, messageIn, type Place, said, sessionFor, VERSIONS } from '../support/legacy/scenario.js';
import { MemoryHost } from '../support/memory-host.js';

itConverges('clients of all versions end up with what the host has, through cuts, restarts and crashes', {
  clients: VERSIONS.length,
  actions: 11,
  values: 4,
  weights: { dispatch: 20, cut: 3, restart: 1, crash: 1, rest: 8 },
  runs: Number(process.env.CONVERGENCE_RUNS ?? 60),
  msPerRun: 1000,
  create: () => World.create(),
});

class World {
  readonly #host = new MemoryHost(() => [demoAgent({ isolation: 'none' })]);
  #places: Place[] = [];
  #ids = 0;

  static async create(): Promise<World> {
    const world = new World();
    for (const [index, version] of VERSIONS.entries()) {
      const client = new LegacyClient(world.#host.connect(), version, `client-${index}`);
      await client.initialize();
      const name = client.isEarly ? 'session' : 'channel';
      if (index === 0)
        await client.request('createSession', { [name]: sessionFor(client, 'shared'), provider: 'demo' });
      world.#places.push(await follow(client));
    }
    return world;
  }

  async do(next: Step): Promise<void> {
    switch (next.kind) {
      case 'dispatch': {
        const place = this.#places[next.client];
        const made = place && this.#action(place, next.action, next.value);
        if (made) place.client.dispatch(made.channel, made.action);
        return;
      }
      case 'cut':
        this.#places[next.client]?.client.peer.close();
        return this.#comeBack();
      case 'restart':
        await this.#host.restart();
        return this.#comeBack();
      case 'crash':
        this.#host.crash();
        return this.#comeBack();
      case 'rest':
        await idle(10);
    }
  }

  async check(): Promise<void> {
    await this.#comeBack();
    const native = this.#places.find(({ client }) => client.version === '0.4.0');
    if (!native) throw new Error('nobody speaks our version');
    const { client, conversation } = native;
    for (let quiet = 0, before = -1; quiet < 3; before = this.#total()) {
      // A question that nobody answers would stand for ever.
      const { activeTurn } = client.state(conversation) as { activeTurn?: { id: string } };
      if (activeTurn) client.dispatch(conversation, { type: 'chat/turnCancelled', turnId: activeTurn.id });
      for (const place of this.#places) await place.client.sync();
      await idle(20);
      quiet = this.#total() === before && !activeTurn ? quiet + 1 : 0;
    }
    for (const place of this.#places) {
      const { version } = place.client;
      const fresh = new LegacyClient(this.#host.connect(), version, `late-${version}`);
      await fresh.initialize();
      await follow(fresh);
      for (const uri of new Set([place.session, place.conversation])) {
        expect(place.client.comparable(uri), `${version} ${uri}`).toEqual(fresh.comparable(uri));
      }
      expect([...place.client.violations, ...fresh.violations]).toEqual([]);
      fresh.peer.close();
      place.client.peer.close();
    }
    await this.#host.close();
  }

  #total(): number {
    return this.#places.reduce((sum, { client }) => sum + client.envelopes.length, 0);
  }

  /** Whoever lost its connection resumes from what it saw last. */
  async #comeBack(): Promise<void> {
    const places: Place[] = [];
    for (const place of this.#places) {
      const { client } = place;
      if (!client.peer.closed) {
        places.push(place);
        continue;
      }
      expect(client.violations).toEqual([]);
      const next = new LegacyClient(this.#host.connect(), client.version as Version, client.clientId, client.clientSeq);
      for (const [uri, fold] of client.folds) next.folds.set(uri, fold);
      await next.reconnect([...client.folds.keys()], client.lastSeq);
      places.push({ ...place, client: next });
    }
    this.#places = places;
  }

  #action(place: Place, kind: number, value: number): { channel: string; action: Record<string, unknown> } {
    const id = `${place.client.clientId}-${++this.#ids}`;
    const talk = (name: string, payload: object) => ({
      channel: place.conversation,
      action: said(place, name, { ...payload }),
    });
    const session = (action: Record<string, unknown>) => ({ channel: place.session, action });
    const pendingId = `pending-${value}`;
    switch (kind) {
      case 0:
        return session({ type: 'session/titleChanged', title: `title ${id}` });
      case 1:
        return session({ type: 'session/isReadChanged', isRead: value % 2 === 0 });
      case 2:
        return chooseModel(place, `model-${value}`);
      case 3:
        return talk('turnStarted', {
          turnId: id,
          ...messageIn(place, `/think ${id}\n/say ${id}\n/stream ${value * 3}`),
        });
      case 4:
        return talk('pendingMessageSet', { kind: 'queued', id: pendingId, ...messageIn(place, '/say queued') });
      case 5:
        return talk('pendingMessageRemoved', { kind: 'queued', id: pendingId });
      case 6:
        return talk('pendingMessageSet', { kind: 'steering', id: pendingId, ...messageIn(place, '/say steer') });
      case 7:
        return talk('truncated', {});
      case 8:
        return talk('turnStarted', { turnId: id, ...messageIn(place, `/ask Well? | yes | no\n/say ${id}`) });
      case 9: {
        const { activeTurn } = place.client.state(place.conversation) as { activeTurn?: { id: string } };
        return talk('turnCancelled', { turnId: activeTurn?.id ?? 'none' });
      }
      default: {
        return session(activation(place.client, [{ name: `tool-${value}` }]).claim);
      }
    }
  }
}

/** Since 0.5 a model is that of a message, also of one that is still being written. */
function chooseModel({ client, session, conversation }: Place, id: string) {
  if (!client.since('0.5.0')) return { channel: session, action: { type: 'session/modelChanged', model: { id } } };
  const draft = { text: '', origin: { kind: 'user' }, model: { id } };
  return { channel: conversation, action: { type: 'chat/draftChanged', draft } };
}

async function follow(client: LegacyClient): Promise<Place> {
  const session = sessionFor(client, 'shared');
  const state = await client.attach(session);
  const conversation = client.mergesChats ? session : String(state.defaultChat);
  if (!client.mergesChats) await client.attach(conversation);
  return { client, session, conversation };
}

import { type ChannelKind, type ChannelStates, ROOT_URI } from '@moorage/protocol';
import { expect } from 'vitest';
import { comparable, Fold } from '../fold.js';
import type { HostProcess } from '../host-process.js';
import { WireClient } from '../wire-client.js';
import { Ledger } from './ledger.js';

/** How a client was brought up to date. */
type Return = 'initialized' | 'replay' | 'snapshot';

/** What one client knows of a host over all its lives, and holds against what the host says after each. */
export class Survivor {
  readonly #known = new Map<string, Fold<ChannelKind>>();
  readonly #ledger = new Ledger();
  #lastSeq = 0;
  #clientSeq = 0;

  /** In the order in which they were first seen. */
  get known(): ReadonlyMap<string, Fold<ChannelKind>> {
    return this.#known;
  }

  /** Connects to a host that is (again) there, and takes up what was missed. */
  async return(host: HostProcess): Promise<{ client: WireClient; by: Return }> {
    const { url, token } = host;
    const client = await WireClient.open({ url, token, clientId: 'survivor', clientSeq: this.#clientSeq });
    if (this.#lastSeq > 0) return { client, by: await this.#resume(client) };
    await client.request('initialize', { channel: ROOT_URI, clientId: 'survivor', protocolVersions: ['1.0.0'] });
    return { client, by: 'initialized' };
  }

  async follow<S>(client: WireClient, uri: string, kind: ChannelKind): Promise<S> {
    const { snapshot } = await client.request('subscribe', { channel: uri });
    if (!snapshot) throw new Error(`no snapshot of ${uri}`);
    this.#known.set(uri, new Fold(kind, snapshot));
    return snapshot.state as S;
  }

  /** The host shows of a channel what this client made of all that it was told; and that is given. */
  async compare(client: WireClient, uri: string): Promise<ChannelStates[ChannelKind]> {
    const fold = this.#known.get(uri);
    if (!fold) throw new Error(`${uri} was never followed`);
    const { state, fromSeq } = await client.snapshot<ChannelStates[ChannelKind]>(uri);
    fold.apply(
      uri,
      client.envelopes.filter((envelope) => envelope.serverSeq <= fromSeq),
    );
    expect(comparable(fold.kind, state), uri).toEqual(comparable(fold.kind, fold.state));
    this.#ledger.check(uri, state);
    return state;
  }

  /** Takes in what a client heard in a life that is over. */
  learn(client: WireClient): void {
    expect(client.violations).toEqual([]);
    for (const [uri, fold] of this.#known) fold.apply(uri, client.envelopes);
    this.#ledger.see(client.envelopes);
    let last = this.#lastSeq; // of earlier lives, and what was replayed of them
    for (const { serverSeq } of client.envelopes) {
      expect(serverSeq).toBeGreaterThan(last);
      last = serverSeq;
    }
    this.#lastSeq = Math.max(last, ...[...this.#known.values()].map(({ seq }) => seq));
    this.#clientSeq = client.clientSeq;
  }

  async #resume(client: WireClient): Promise<Return> {
    const result = await client.request('reconnect', {
      channel: ROOT_URI,
      clientId: 'survivor',
      lastSeenServerSeq: this.#lastSeq,
      subscriptions: [...this.#known.keys()],
    });
    if (result.type === 'snapshot') {
      for (const snapshot of result.snapshots) {
        const fold = this.#known.get(snapshot.resource);
        if (fold) this.#known.set(snapshot.resource, new Fold(fold.kind, snapshot));
        expect(snapshot.fromSeq).toBeGreaterThanOrEqual(this.#lastSeq);
      }
      return 'snapshot';
    }
    expect(result.missing).toEqual([]);
    const seqs = result.actions.map((envelope) => envelope.serverSeq);
    expect(seqs.every((seq, index) => seq > (seqs[index - 1] ?? this.#lastSeq))).toBe(true);
    for (const [uri, fold] of this.#known) fold.apply(uri, result.actions);
    this.#ledger.see(result.actions);
    this.#lastSeq = Math.max(this.#lastSeq, ...seqs);
    return 'replay';
  }
}

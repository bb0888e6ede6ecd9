import { type ActionEnvelope, type ChannelKind, type ChannelStates, reduceAll, type Snapshot } from '@moorage/protocol';

/** What a client knows of a channel: a snapshot, and what came after it. */
export class Fold<K extends ChannelKind> {
  readonly kind: K;
  state: ChannelStates[K];
  seq: number;

  constructor(kind: K, snapshot: Snapshot) {
    this.kind = kind;
    this.state = snapshot.state as ChannelStates[K];
    this.seq = snapshot.fromSeq;
  }

  /** Applies what is new of these; rejected and foreign ones are passed over. */
  apply(channel: string, envelopes: readonly ActionEnvelope[]): void {
    const updates = envelopes.filter((e) => e.channel === channel && e.serverSeq > this.seq && !e.rejectionReason);
    this.state = reduceAll(this.kind, this.state, updates.map((e) => e.action) as never, { now: () => 0 });
    this.seq = updates.at(-1)?.serverSeq ?? this.seq;
  }
}

/** What replicas of a state must agree on: not what no action carries (OQ-26, OQ-34, OQ-47). */
export function comparable(kind: ChannelKind, state: object): unknown {
  const plain = JSON.parse(JSON.stringify(state));
  if (kind === 'chat') delete plain.title;
  if (kind === 'session') {
    delete plain.annotations;
    plain.status &= ~31;
  }
  return plain;
}

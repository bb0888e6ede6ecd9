import type { TSchema } from './common/type.js';

/** Who may send a message. Both peers may ask for resources, so those requests travel either way. */
export type Direction = 'clientToHost' | 'hostToClient' | 'both';

/** What `params.channel` names: the root channel literally, a channel of that kind, or any channel. */
export type ChannelRule = 'root' | 'session' | 'chat' | 'terminal' | 'changeset' | 'telemetry' | 'automation' | 'any';

/** What there is to know about one request. */
export interface RequestRow<P extends TSchema = TSchema, R extends TSchema = TSchema> {
  /** Whether the client sends it to the host, or the host to the client. */
  readonly direction: Direction;
  /** Which channel it is sent on. */
  readonly channel: ChannelRule;
  /** The schema of its params. */
  readonly params: P;
  /** The schema of its result. */
  readonly result: R;
}

/** What there is to know about one notification. */
export interface NotificationRow<P extends TSchema = TSchema> {
  /** Whether the client sends it to the host, or the host to the client. */
  readonly direction: Direction;
  /** Which channel it is sent on. */
  readonly channel: ChannelRule;
  /** The schema of its params. */
  readonly params: P;
}

/** A row for a request. */
export function request<D extends Direction, P extends TSchema, R extends TSchema>(
  direction: D,
  channel: ChannelRule,
  params: P,
  result: R,
): RequestRow<P, R> & { direction: D } {
  return { direction, channel, params, result };
}

/** A row for a notification. */
export function notification<D extends Direction, P extends TSchema>(
  direction: D,
  channel: ChannelRule,
  params: P,
): NotificationRow<P> & { direction: D } {
  return { direction, channel, params };
}

import { type CommandMap, ROOT_URI } from '@moorage/protocol';

/** Requests that only the client itself makes: sent by somebody else they would confuse its mirrors. */
type OwnRequest = 'initialize' | 'reconnect' | 'subscribe';

/** A request that a client may make of a host. */
export type ClientRequest = Exclude<keyof CommandMap, OwnRequest>;

type ChannelOptional<P> = P extends { channel: typeof ROOT_URI }
  ? Omit<P, 'channel'> & { channel?: typeof ROOT_URI }
  : P;

/** The params of a request; where the channel can only be the root channel it may be left out. */
export type RequestParams<M extends ClientRequest> = ChannelOptional<CommandMap[M]['params']>;
/** What a host answers to a request. */
export type RequestResult<M extends ClientRequest> = CommandMap[M]['result'];

/** Params that name no channel are for the root channel: the types let only those leave it out. */
export function withChannel(params: object): object {
  return { channel: ROOT_URI, ...params };
}

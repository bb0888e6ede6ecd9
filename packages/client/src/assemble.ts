import { isObject, type SubscribeView, type Transport } from '@moorage/protocol';
import { isStateless, stateKindOf } from './channel-kind.js';
import { Batcher } from './channels/batcher.js';
import { ChannelTable, type TableContext } from './channels/channel-table.js';
import { type StatelessContext, StatelessTable } from './channels/stateless-table.js';
import { ClientHandshake } from './client-handshake.js';
import { Backoff } from './connection/backoff.js';
import { Caller } from './connection/caller.js';
import { Connection, type ConnectionEvents } from './connection/connection.js';
import { LastSeen } from './connection/last-seen.js';
import { Liveness } from './connection/liveness.js';
import { ProtocolError } from './errors.js';
import { receiveNotification } from './incoming.js';
import { Notifications } from './notifications.js';
import type { Settings } from './options.js';
import { PublishedWatches } from './published-watches.js';
import { ReverseRequests } from './reverse-requests.js';

export type Parts = ReturnType<typeof assemble>;

/** A host that takes longer than this to answer a handshake is given up, whatever the timeout of requests. */
const HANDSHAKE_TIMEOUT_MS = 60_000;

/** Makes the parts of a client and connects them. */
export function assemble(
  settings: Settings,
  open: () => Promise<Transport> | Transport,
  events: Pick<ConnectionEvents, 'onLive' | 'onClosed' | 'onStatusChanged'>,
) {
  const { clientId, clock, env, report } = settings;
  const lastSeen = new LastSeen();
  const batcher = new Batcher(clock);
  const liveness = new Liveness(settings.liveness, clock);
  const notifications = new Notifications(report);
  const reverseRequests = new ReverseRequests();
  const isLive = () => connection.livePeer !== undefined;
  let lastClientSeq = 0;

  const notify = (method: string, params: object) =>
    caller.whenLive({ send: (peer) => peer.notify(method, params), fail: () => {} });

  const context: TableContext & StatelessContext = {
    clientId,
    clock,
    env,
    report,
    notify,
    get isLive() {
      return isLive();
    },
    nextClientSeq: () => ++lastClientSeq,
    schedule: (channel) => batcher.schedule(channel),
    dispatch(frame, outcome) {
      const send = (peer: { sendRaw(text: string): void }) => {
        if (outcome.onSend()) peer.sendRaw(frame);
      };
      caller.whenLive({ send, fail: (why) => outcome.onFail(why) });
    },
    overflow: (uri) => connection.reset(new ProtocolError(`too much came for ${uri} while its snapshot did not`)),
    async subscribe(uri, view?: SubscribeView) {
      const result = await caller.request('subscribe', { channel: uri, ...(view && { view }) });
      return isObject(result) ? result.snapshot : undefined;
    },
    unsubscribe: (uri) => notify('unsubscribe', { channel: uri }),
    request: (method, params) => caller.request(method, params),
  };

  const watches = new PublishedWatches(notify, report);
  const channels = new ChannelTable(context);
  const stateless = new StatelessTable(context);
  const handshake = new ClientHandshake(settings, channels, lastSeen, report);
  const receivers = { clientId, channels, stateless, notifications, lastSeen, liveness, isLive, report };
  const connection = new Connection({
    open,
    clock,
    handshake,
    liveness,
    backoff: new Backoff(settings.reconnect, settings.random),
    handshakeTimeoutMs: HANDSHAKE_TIMEOUT_MS,
    peer: {
      onRequest: (method, params) =>
        method === 'subscribe' ? watches.subscribe(params) : reverseRequests.answer(method, params),
      onNotification(method, params) {
        if (method === 'unsubscribe') watches.unsubscribe(params);
        receiveNotification(receivers, method, params);
      },
      onProtocolError: (message) => report(new ProtocolError(message)),
      onInternalError: (error) => report(error),
    },
    events: {
      ...events,
      onLive() {
        channels.goLive();
        stateless.goLive();
        caller.sendWaiting();
        events.onLive();
      },
      onSuspended() {
        watches.endAll();
        channels.suspend();
        stateless.suspend();
      },
      onClosed(error) {
        watches.endAll();
        caller.close();
        channels.close();
        stateless.close();
        events.onClosed(error);
      },
    },
  });
  const caller = new Caller(connection, clock, settings.requestTimeoutMs);

  for (const name of settings.initialSubscriptions) {
    const { uri, kind } = typeof name === 'string' ? { uri: name, kind: undefined } : name;
    if (kind === undefined && isStateless(uri)) stateless.expect(uri);
    else channels.expect(uri, stateKindOf(uri, kind));
  }
  return {
    caller,
    channels,
    connection,
    context,
    handshake,
    lastSeen,
    notifications,
    reverseRequests,
    stateless,
    watches,
  };
}

import { type Bus, type Clock, dialHost, type Incoming, type Log, SUBJECT_WORD } from '@moorage/host';
import { CloseCodes } from '@moorage/protocol';
import { relay } from './relay.js';

export interface HostRouteOptions {
  readonly bus: Bus;
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
  readonly log: Log;
}

/** Connects clients of `/hosts/ID/` with that host, as if they had dialled it themselves. False for another path. */
export function hostRoute({ bus, clock, log }: HostRouteOptions): (incoming: Incoming) => boolean {
  return ({ transport, credential, reachedAs, path }) => {
    const host = /^\/hosts\/([^/]+)\/?$/.exec(path ?? '')?.[1];
    if (host === undefined) return false;
    if (!SUBJECT_WORD.test(host)) {
      transport.close(CloseCodes.PolicyViolation, 'there is no such host');
      return true;
    }
    const from = { connection: crypto.randomUUID(), credential: `user:${credential}`, reachedAs };
    void relay(transport, () => dialHost({ bus, host, from, clock, log }));
    return true;
  };
}

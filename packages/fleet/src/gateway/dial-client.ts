import { type DialOptions, dialHost } from '@moorage/host';
import type { Transport } from '@moorage/protocol';

/** A connection with a host for a client of this process: nothing is delivered before somebody listens. */
export async function dialForClient(options: DialOptions): Promise<Transport> {
  const dialled = await dialHost(options);
  return {
    send: (text) => dialled.send(text),
    close: (code, reason) => dialled.close(code, reason),
    onClose: (listener) => dialled.onClose(listener),
    onMessage: (listener) => {
      dialled.onMessage(listener);
      dialled.resume();
    },
  };
}

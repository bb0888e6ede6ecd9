import { type Client, RpcError } from '@ahpd/client';
import { type DisposedSession, JsonRpcErrorCodes } from '@ahpd/protocol';
import { withProgress } from '../output/progress.js';

/** The sessions that the host can bring back, the latest removal first; undefined when it cannot bring back any. */
export async function removedSessions(client: Client): Promise<DisposedSession[] | undefined> {
  const asking = client.request('listDisposedSessions');
  try {
    return (await withProgress('listing removed sessions', asking)).items;
  } catch (error) {
    // An extension of ours: other hosts do not know the method.
    if (error instanceof RpcError && error.code === JsonRpcErrorCodes.MethodNotFound) return undefined;
    throw error;
  }
}

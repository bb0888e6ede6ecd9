import { type Client, RpcError } from '@moorage/client';
import { type DisposedSession, JsonRpcErrorCodes } from '@moorage/protocol';
import { withProgress } from '../output/progress.js';

/** The sessions that the host can bring back, the latest removal first; undefined if it cannot do that at all. */
export async function removedSessions(client: Client): Promise<DisposedSession[] | undefined> {
  const asking = client.request('listDisposedSessions');
  try {
    return (await withProgress('listing removed sessions', asking)).items;
  } catch (error) {
    // The method is our extension, which other hosts do not know.
    if (error instanceof RpcError && error.code === JsonRpcErrorCodes.MethodNotFound) return undefined;
    throw error;
  }
}

import { type Client, RpcError } from '@ahpd/client';
import { JsonRpcErrorCodes } from '@ahpd/protocol';
import { readAhpConfig } from '../host/config.js';
import { note } from '../output/out.js';
import { plain } from '../output/plain.js';
import { readSource } from './sources.js';

/** Authenticates for what the user added tokens for, for this host. A host forgets them with the connection. */
export async function giveTokens(client: Client, host: string): Promise<void> {
  const sources = Object.entries(readAhpConfig().tokens?.[host] ?? {});
  for (const [resource, source] of sources) {
    const token = readSource(source);
    if (token === undefined) continue; // it is missed where it is needed
    try {
      await client.request('authenticate', { resource, token });
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      // None of the host's agents may need it any more, or yet.
      if (error.code !== JsonRpcErrorCodes.InvalidParams)
        note(`ahp: no token for ${plain(resource)}: ${plain(error.message)}`);
    }
  }
}

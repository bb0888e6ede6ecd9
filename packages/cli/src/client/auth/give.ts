import { type Client, RpcError } from '@moorage/client';
import { JsonRpcErrorCodes } from '@moorage/protocol';
import { readClientConfig } from '../host/config.js';
import { note } from '../output/out.js';
import { plain } from '../output/plain.js';
import { readSource } from './sources.js';

/** Gives a host the tokens that the user added for it. It forgets them when the connection ends. */
export async function giveTokens(client: Client, host: string): Promise<void> {
  const sources = Object.entries(readClientConfig().tokens?.[host] ?? {});
  for (const [resource, source] of sources) {
    const token = readSource(source);
    if (token === undefined) continue; // the host says so when an agent needs it
    try {
      await client.request('authenticate', { resource, token });
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      // Invalid: no agent of the host needs it any more, or yet.
      if (error.code !== JsonRpcErrorCodes.InvalidParams)
        note(`moorage: no token for ${plain(resource)}: ${plain(error.message)}`);
    }
  }
}

import type { Client } from '@moorage/client';

/**
 * Tokens that the user gave for agents and servers. A host forgets them when the connection ends, so they are sent again
 * after each reconnect. They are kept in memory only; after a reload, the user is asked again.
 */
const given = new WeakMap<Client, Map<string, string>>();

export async function giveToken(client: Client, resource: string, token: string): Promise<void> {
  await client.request('authenticate', { resource, token });
  const known = given.get(client);
  if (known) {
    known.set(resource, token);
    return;
  }
  const tokens = new Map([[resource, token]]);
  given.set(client, tokens);
  client.onStatus((status) => {
    if (status !== 'live') return;
    for (const [name, value] of tokens)
      client.request('authenticate', { resource: name, token: value }).catch(() => tokens.delete(name));
  });
}

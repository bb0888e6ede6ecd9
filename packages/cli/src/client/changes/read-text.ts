import type { Client } from '@moorage/client';

/** The text of a resource of the host. */
export async function readText(client: Client, uri: string): Promise<string> {
  const { data, encoding } = await client.request('resourceRead', { uri });
  return encoding === 'base64' ? Buffer.from(data, 'base64').toString() : data;
}

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { McpServerDeclaration } from '@moorage/host';
import type { McpServerCustomization, McpServerState, SessionState } from '@moorage/protocol';
import type { WireClient } from './wire-client.js';

const PACKAGE = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json');
/** The reference server, which has something of everything. */
export const EVERYTHING = join(dirname(PACKAGE), 'dist', 'index.js');

/** The reference server as a program; `mark` is in the environment of its process, so that it can be found. */
export function everything(mark: string, more: Partial<McpServerDeclaration> = {}): McpServerDeclaration {
  return {
    id: 'mcp:everything',
    name: 'everything',
    uri: 'file:///config.json#/mcpServers/everything',
    enabled: true,
    launch: { kind: 'stdio', command: process.execPath, args: [EVERYTHING, 'stdio'], env: { MARK: mark } },
    ...more,
  };
}

/** The servers that a session shows, alone or inside something. */
export async function serversIn(client: WireClient, session: string): Promise<McpServerCustomization[]> {
  const { customizations = [] } = await client.subscribe<SessionState>(session);
  return customizations.flatMap((entry) =>
    entry.type === 'mcpServer' ? [entry] : (entry.children ?? []).filter((child) => child.type === 'mcpServer'),
  );
}

/** Waits until a server is in a state, and gives it. */
export async function serverIs<K extends McpServerState['kind']>(
  client: WireClient,
  session: string,
  kind: K,
  id = 'mcp:everything',
): Promise<McpServerCustomization & { state: Extract<McpServerState, { kind: K }> }> {
  for (;;) {
    const heard = client.received.length;
    const server = (await serversIn(client, session)).find((one) => one.id === id);
    if (server?.state.kind === kind) return server as never;
    const what = `${id} to be ${kind}; it is ${JSON.stringify(server?.state)}`;
    await client.until(() => (client.received.length > heard ? true : undefined), what);
  }
}

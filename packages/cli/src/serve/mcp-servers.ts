import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { McpServerDeclaration } from '@moorage/host';
import type { McpServerConfig } from '../config/mcp-config.js';

/** The servers of the configuration as the host takes them. */
export function mcpServersOf(
  servers: Readonly<Record<string, McpServerConfig>>,
  file: string | undefined,
): McpServerDeclaration[] {
  const source = file === undefined ? 'moorage-config:' : pathToFileURL(resolve(file)).href;
  return Object.entries(servers).map(([name, server]) => ({
    id: `mcp:${name}`,
    name,
    uri: `${source}#/mcpServers/${encodeURIComponent(name)}`,
    enabled: server.enabled ?? true,
    sampling: server.sampling ?? false,
    launch:
      'url' in server
        ? { kind: 'http', url: server.url, headers: server.headers }
        : { kind: 'stdio', command: server.command, args: server.args, env: server.env },
  }));
}

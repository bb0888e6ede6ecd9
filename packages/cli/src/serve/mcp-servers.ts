import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { McpServerDeclaration } from '@ahpd/host';
import {
  findInEach,
  findWrongMember,
  type Kind,
  type Members,
  PROGRAM,
  type Problem,
  SWITCH,
  TEXT,
  TEXTS,
  VARIABLES,
} from './config-members.js';

/** An MCP server of the configuration file: a program, or an address. */
export type McpServerConfig = (
  | { readonly command: string; readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }
) & {
  /** Whether it may use the model of a session's agent. */
  readonly sampling?: boolean;
  /** False: it is shown, but runs only where a user switches it on. */
  readonly enabled?: boolean;
};

export function findMcpServerProblem(key: string, servers: unknown): Problem | undefined {
  return findInEach(key, servers, (path, server) => {
    if ('url' in server) return findWrongMember(path, server, HTTP_MEMBERS);
    if ('command' in server) return findWrongMember(path, server, PROGRAM_MEMBERS);
    return { path, expected: 'a member "command" (the name or path of a program) or "url"' };
  });
}

/** The servers of the configuration as the host takes them. */
export function mcpServersOf(
  servers: Readonly<Record<string, McpServerConfig>>,
  file: string | undefined,
): McpServerDeclaration[] {
  const source = file === undefined ? 'ahpd-config:' : pathToFileURL(resolve(file)).href;
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

const ADDRESS: Kind = {
  expected: 'an http or https address',
  fits: (value) => typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value),
};

const SHARED: Members = { type: TEXT, sampling: SWITCH, enabled: SWITCH };
const PROGRAM_MEMBERS: Members = { command: PROGRAM, args: TEXTS, env: VARIABLES, ...SHARED };
const HTTP_MEMBERS: Members = { url: ADDRESS, headers: VARIABLES, ...SHARED };

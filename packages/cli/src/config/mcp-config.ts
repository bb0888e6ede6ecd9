import { isObject } from '@moorage/protocol';
import {
  type Check,
  expecting,
  isWebUrl,
  object,
  PROGRAM,
  SWITCH,
  TEXT,
  TEXTS,
  table,
  VARIABLES,
} from './config-check.js';

/** An MCP server in the configuration file: a program, or an address. */
export type McpServerConfig = (
  | { readonly command: string; readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }
) & {
  /** Whether it may use the model of a session's agent. */
  readonly sampling?: boolean;
  /** False: it is listed, but runs only in sessions where a user switches it on. */
  readonly enabled?: boolean;
};

const SHARED = { type: TEXT, sampling: SWITCH, enabled: SWITCH };
const STDIO = object({ command: PROGRAM, args: TEXTS, env: VARIABLES, ...SHARED });
const HTTP = object({ url: expecting('an http or https address', isWebUrl), headers: VARIABLES, ...SHARED });

const SERVER: Check = (value, path) => {
  if (!isObject(value)) return { path, expected: 'an object' };
  if ('url' in value) return HTTP(value, path);
  if ('command' in value) return STDIO(value, path);
  return { path, expected: 'a member "command" (the name or path of a program) or "url"' };
};

/** The MCP servers of a configuration file, by name. */
export const MCP_SERVERS = table(SERVER);

import { isObject } from '@moorage/protocol';
import type { McpLaunch } from '../../../ports/mcp.js';
import { type FoundCustomization, idOf } from '../found.js';
import { MAX_MCP_SERVERS, MAX_MCP_VALUES, MAX_NAME_CHARS } from '../limits.js';
import { oneLine } from './fields.js';
import type { JsonSource } from './hooks.js';
import type { JsonObject, rangesIn } from './json.js';

type Ranges = Awaited<ReturnType<typeof rangesIn>>;

/** The MCP servers of a plugin, as stopped, and what is wrong with the invalid ones. */
export function mcpServersOf(
  source: JsonSource,
  servers: JsonObject,
  ranges: Ranges,
  at: readonly string[],
): { found: FoundCustomization[]; problems: string[] } {
  const uri = source.tree.uriOf(source.path);
  const found: FoundCustomization[] = [];
  const problems: string[] = [];
  for (const [key, server] of Object.entries(servers).slice(0, MAX_MCP_SERVERS)) {
    const name = oneLine(key, MAX_NAME_CHARS) ?? 'server';
    const launch = launchOf(server, source.tree.folder);
    if (typeof launch === 'string') {
      problems.push(`MCP server ${name}: ${launch}`);
      continue;
    }
    const range = ranges([...at, key]);
    const id = idOf(source.container, 'mcpServer', uri, key);
    const shown = { id, uri, name, ...(range && { range }) };
    found.push({ child: { ...shown, type: 'mcpServer', state: { kind: 'stopped' } }, launch });
  }
  return { found, problems };
}

/** How to launch a server, or what is wrong with its declaration. */
function launchOf(server: unknown, folder: string | undefined): McpLaunch | string {
  if (!isObject(server)) return 'it is not an object';
  const expand = (text: string) => (folder === undefined ? text : text.replaceAll(PLUGIN_ROOT, () => folder));
  const { command, args = [], env = {}, cwd, url, headers = {} } = server;
  if (typeof url === 'string') {
    if (!/^https?:/i.test(url) || !URL.canParse(url)) return 'its url is not an http address';
    if (!areStrings(headers)) return 'its headers are not strings';
    return { kind: 'http', url: expand(url), headers: mapValues(headers, expand) };
  }
  if (typeof command !== 'string' || command === '') return 'it has neither a command nor a url';
  if (!Array.isArray(args) || args.length > MAX_MCP_VALUES || !args.every((arg) => typeof arg === 'string')) {
    return 'its args are not a list of strings';
  }
  if (!areStrings(env)) return 'its env is not an object of strings';
  const place = typeof cwd === 'string' ? expand(cwd) : folder;
  if (folder === undefined && JSON.stringify([command, args, env]).search(PLUGIN_ROOT) >= 0) {
    return 'it runs a program of a plugin that is not on this machine';
  }
  return { kind: 'stdio', command: expand(command), args: args.map(expand), env: mapValues(env, expand), cwd: place };
}

const PLUGIN_ROOT = /\$\{(?:[A-Z]+_)?PLUGIN_ROOT\}/g;

function areStrings(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string');
}

function mapValues(values: Record<string, string>, map: (text: string) => string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values)
      .slice(0, MAX_MCP_VALUES)
      .map(([key, text]) => [key, map(text)]),
  );
}

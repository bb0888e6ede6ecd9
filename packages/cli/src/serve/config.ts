import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { findNodeAtLocation, type ParseError, parse, parseTree, printParseErrorCode } from 'jsonc-parser';
import { UsageError } from '../usage-error.js';
import { AGENTS, type AgentConfig } from './agent-config.js';
import { expecting, isText, list, object, TEXTS } from './config-check.js';
import { MCP_SERVERS, type McpServerConfig } from './mcp-servers.js';

/** What a configuration file may say. */
export interface Config {
  readonly roots?: readonly string[];
  /** Pages of other hosts that may connect to this one, such as `https://build.example:7433`. */
  readonly allowedOrigins?: readonly string[];
  /** Hosts that the page of this one may connect to, besides this one; written the same way. */
  readonly otherHosts?: readonly string[];
  /** By provider id. */
  readonly agents?: Readonly<Record<string, AgentConfig>>;
  /** Folders of plugins for every session; relative ones are next to the file. */
  readonly plugins?: readonly string[];
  /** By name. */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>>;
}

/** Reads a configuration file: JSON with comments and trailing commas. A wrong one is refused with line and key. */
export function readConfig(file: string): Config {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`--config: cannot read ${file}`);
  }
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) throw new UsageError(`${file}:${lineOf(text, first.offset)}: ${printParseErrorCode(first.error)}`);
  const problem = CONFIG(value, []);
  if (problem) {
    const key = problem.path.join('.') || 'the file';
    throw new UsageError(`${file}:${lineOf(text, offsetOf(text, problem.path))}: ${key}: expected ${problem.expected}`);
  }
  const config = value as Config;
  const pluginFolder = (path: string) => resolve(dirname(file), expandHome(path));
  return {
    ...config,
    ...(config.roots && { roots: config.roots.map(expandHome) }),
    ...(config.plugins && { plugins: config.plugins.map(pluginFolder) }),
  };
}

/** These go into the page's policy, where a word too many would open it. */
const ORIGIN = expecting(
  'an origin such as https://build.example:7433',
  (value) => isText(value) && isWebOrigin(value),
);

const CONFIG = object({
  roots: TEXTS,
  allowedOrigins: TEXTS,
  otherHosts: list('a list of strings', ORIGIN),
  plugins: TEXTS,
  agents: AGENTS,
  mcpServers: MCP_SERVERS,
});

/** Where a value stands; for one that is missing, where what should hold it stands. */
function offsetOf(text: string, path: readonly (string | number)[]): number {
  const tree = parseTree(text);
  for (let length = path.length; tree && length > 0; length--) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (node) return node.offset;
  }
  return tree?.offset ?? 0;
}

function isWebOrigin(text: string): boolean {
  return /^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(text) && URL.canParse(text);
}

function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? homedir() + path.slice(1) : path;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

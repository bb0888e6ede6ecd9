import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { AGENTS, type AgentConfig } from '../config/agent-config.js';
import { ANYTHING, expecting, isText, list, object, TEXTS } from '../config/config-check.js';
import { MCP_SERVERS, type McpServerConfig } from '../config/mcp-config.js';
import { NOTIFICATIONS, type NotificationConfig } from '../config/notification-config.js';
import { SANDBOX, type SandboxConfig } from '../config/sandbox-config.js';
import { configFile } from '../config-file.js';
import { expandHome, readNamedFile } from '../files.js';
import { lineAt, parseJsonc } from '../jsonc.js';
import { UsageError } from '../usage-error.js';

/** What a configuration file may say. */
export interface Config {
  readonly roots?: readonly string[];
  /** Folders whose git repositories may run the programs that they configure. */
  readonly trust?: readonly string[];
  /** Hosts whose page may connect to this host, such as `https://build.example:7433`. */
  readonly allowedOrigins?: readonly string[];
  /** Other hosts that this host's page may connect to, written the same way. */
  readonly otherHosts?: readonly string[];
  /** By provider id. */
  readonly agents?: Readonly<Record<string, AgentConfig>>;
  /** Folders of plugins for every session; relative to the configuration file. */
  readonly plugins?: readonly string[];
  /** By name. */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>>;
  readonly notifications?: NotificationConfig;
  readonly sandbox?: SandboxConfig;
  /** Whether agents may work with other sessions of their user: "offered" until a user switches it on. */
  readonly hostTools?: 'off' | 'offered' | 'on';
}

/** The user's configuration file, if there is one. */
export function defaultConfig(): string | undefined {
  const file = configFile();
  return existsSync(file) ? file : undefined;
}

/** Reads a configuration file. One that is wrong is refused with the line, the key and what was expected there. */
export function readConfig(file: string): Config {
  const text = readNamedFile('--config', file);
  const value = parseJsonc(file, text);
  const problem = CONFIG(value, []);
  if (problem) {
    const key = problem.path.join('.') || 'the file';
    throw new UsageError(`${file}:${lineAt(text, offsetOf(text, problem.path))}: ${key}: expected ${problem.expected}`);
  }
  const config = value as Config;
  const pluginFolder = (path: string) => resolve(dirname(file), expandHome(path));
  return {
    ...config,
    ...(config.roots && { roots: config.roots.map(expandHome) }),
    ...(config.trust && { trust: config.trust.map(expandHome) }),
    ...(config.plugins && { plugins: config.plugins.map(pluginFolder) }),
  };
}

/** Strict, because these become part of the page's content security policy, where a stray word could open it up. */
const ORIGIN = expecting(
  'an origin such as https://build.example:7433',
  (value) => isText(value) && isWebOrigin(value),
);

const CONFIG = object({
  roots: TEXTS,
  trust: TEXTS,
  allowedOrigins: TEXTS,
  otherHosts: list('a list of strings', ORIGIN),
  plugins: TEXTS,
  agents: AGENTS,
  mcpServers: MCP_SERVERS,
  notifications: NOTIFICATIONS,
  sandbox: SANDBOX,
  hostTools: expecting('"off", "offered" or "on"', (value) => ['off', 'offered', 'on'].includes(String(value))),
  // The same file has the settings of the commands that talk to hosts; they check these themselves.
  hosts: ANYTHING,
  default: ANYTHING,
  tokens: ANYTHING,
});

/** Where a value is in the text; for a missing one, where the value that should contain it is. */
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

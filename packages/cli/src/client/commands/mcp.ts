import type { Command } from 'commander';
import { readSection } from '../../config/edit.js';
import { configFile } from '../../config-file.js';
import { collect } from '../../option-values.js';
import { UsageError } from '../../usage-error.js';
import { type CommonOptions, command } from '../command.js';
import { addConfigured, removeConfigured, variables } from '../host/configured.js';
import { note, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';

interface McpOptions {
  readonly url?: string;
  readonly env?: readonly string[];
  readonly header?: readonly string[];
}

export default function mcpCommand(): Command {
  const list = command('list', 'List the MCP servers of the configuration.', ['moorage mcp list']).action(
    (options: CommonOptions) => {
      const servers = readSection(configFile(), 'mcpServers');
      if (options.json) return printLine(jsonLine(servers));
      if (Object.keys(servers).length === 0) note('No MCP servers. Add one with: moorage mcp add NAME -- COMMAND');
      // Variables and headers may be secrets.
      for (const [name, server] of Object.entries(servers)) printLine(`${plainLine(name)}  ${launchOf(server)}`);
    },
  );
  const add = command('add <name> [command...]', 'Add an MCP server that every session may use.', [
    'moorage mcp add files -- npx -y @modelcontextprotocol/server-filesystem .',
    'moorage mcp add issues --url https://mcp.example/mcp --header "X-Team: docs"',
  ])
    .option('--url <url>', 'its address, for one that is not a program')
    .option('--env <name=value>', 'a variable of its environment; repeatable', collect)
    .option('--header <name:value>', 'with --url: a header of every request; repeatable', collect)
    .action((name: string, words: string[], options: McpOptions) =>
      addConfigured('mcpServers', name, entry(words, options)),
    );
  const remove = command('remove <name>', 'Remove an MCP server.', ['moorage mcp remove files']).action(
    (name: string) => removeConfigured('mcpServers', name),
  );
  const mcp = command('mcp', 'List, add and remove MCP servers.', [
    'moorage mcp list',
    'moorage mcp add NAME -- COMMAND',
  ]);
  mcp.enablePositionalOptions();
  for (const child of [list, add, remove]) mcp.addCommand(child);
  return mcp;
}

function entry([program, ...args]: readonly string[], { url, env, header }: McpOptions): object {
  if ((program === undefined) === (url === undefined))
    throw new UsageError('say how to reach it: moorage mcp add NAME -- COMMAND, or moorage mcp add NAME --url URL');
  if (url !== undefined) return { url, ...(header && { headers: variables(header, ':') }) };
  return { command: program, ...(args.length > 0 && { args }), ...(env && { env: variables(env) }) };
}

function launchOf(server: unknown): string {
  const { url, command, args } = server as { url?: unknown; command?: unknown; args?: unknown };
  return plainLine([url ?? command, ...(Array.isArray(args) ? args : [])].map(String).join(' '));
}

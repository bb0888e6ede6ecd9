import type { Command } from 'commander';
import { collectPaths, pathValue } from '../../option-values.js';
import { type CommonOptions, command, wholeNumber } from '../command.js';
import { hostLogs, hostStart, hostStatus, hostStop, type LogsOptions } from '../host/manage.js';
import { addHost, listHosts, removeHost } from '../host/named.js';
import type { StartOptions } from '../host/start.js';

export default function hostCommand(): Command {
  const start = command('start', 'Start a host in the background.', [
    'moorage host start                       # sessions may use the current folder',
    'moorage host start --root ~/src --root ~/work',
    'moorage host start --port 0              # any free port; moorage finds it',
  ])
    .option('--root <folder...>', 'folders that sessions may use (default: the current one)', collectPaths)
    .option('--port <number>', 'port to listen on (default: 7433)')
    .option('--socket <path>', 'also listen on a unix socket', pathValue)
    .option('--config <file>', 'configuration file of the host', pathValue)
    .action((options: StartOptions) => hostStart(options));
  const stop = command('stop', 'Stop the host of this machine; sessions are kept.', ['moorage host stop']).action(
    (options: CommonOptions) => hostStop(options),
  );
  const status = command('status', 'Say whether a host runs, and where.', [
    'moorage host status',
    'moorage host status --json',
  ]).action((options: CommonOptions) => hostStatus(options));
  const logs = command('logs', 'Print the log of a host that was started with moorage host start.', [
    'moorage host logs -n 50',
    'moorage host logs --follow',
  ])
    .option('-n, --lines <number>', 'how many of the last lines', wholeNumber, 100)
    .option('-f, --follow', 'go on as the log grows')
    .action((options: LogsOptions) => hostLogs(options));
  const list = command('list', 'List the named hosts.', ['moorage host list']).action((options: CommonOptions) =>
    listHosts(options),
  );
  const add = command('add <name> <url>', 'Give a host a name, for --host NAME and moorage ls --all-hosts.', [
    'moorage host add work wss://work.example:7433/ --token-file ~/.config/ahp/work.token',
    'moorage host add work "https://work.example:7433/#pair=..."    # the link of an invitation',
  ])
    .option('--default', 'talk to it when no other is named')
    .action((name: string, url: string, options: CommonOptions & { default?: boolean }) => addHost(name, url, options));
  const remove = command('remove <name>', 'Forget a named host.', ['moorage host remove work']).action((name: string) =>
    removeHost(name),
  );
  const host = command('host', 'Start, stop and name hosts.', [
    'moorage host start',
    'moorage host status',
    'moorage host logs --follow',
  ]);
  host.enablePositionalOptions();
  for (const child of [start, stop, status, logs, list, add, remove]) host.addCommand(child);
  return host;
}

import type { Command } from 'commander';
import { collectPaths, pathValue } from '../../option-values.js';
import { type CommonOptions, command } from '../command.js';
import type { StartOptions } from '../host/start.js';
import { installService, serviceStatus, uninstallService } from '../service/service.js';

export default function serviceCommand(): Command {
  const install = command('install', 'Run a host whenever you are logged in (systemd; launchd, not tested).', [
    'moorage service install                  # sessions may use the current folder',
    'moorage service install --root ~/src --port 7433',
  ])
    .option('--root <folder...>', 'folders that sessions may use (default: the current one)', collectPaths)
    .option('--port <number>', 'port to listen on (default: 7433)')
    .option('--socket <path>', 'also listen on a unix socket', pathValue)
    .option('--config <file>', 'configuration file of the host', pathValue)
    .action((options: StartOptions) => installService(options));
  const status = command('status', 'Say whether the service is installed and runs.', ['moorage service status']).action(
    (options: CommonOptions) => serviceStatus(options),
  );
  const uninstall = command('uninstall', 'Stop the service and remove it; sessions are kept.', [
    'moorage service uninstall',
  ]).action((options: CommonOptions) => uninstallService(options));
  const service = command('service', 'Run a host as a service of your user.', [
    'moorage service install',
    'moorage service status',
  ]);
  service.enablePositionalOptions();
  for (const child of [install, status, uninstall]) service.addCommand(child);
  return service;
}

import { Command, Option } from 'commander';
import { withOidcOptions } from './oidc/options.js';
import { collect, collectPaths, parsePort, pathValue } from './option-values.js';
import type { ServeOptions } from './serve/serve.js';
import { UsageError } from './usage-error.js';

/** `moorage serve`. Scripts rely on its options, exit codes and ready line: extend them, but do not change them. */
export default function serveCommand(): Command {
  return withOidcOptions(new Command('serve'))
    .description('Start a host and serve until SIGTERM or SIGINT.')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 takes any free one', parsePort, 7433)
    .option('--data-dir <folder>', 'where sessions and the token are kept (default: the XDG data folder)', pathValue)
    .option('--root <folder>', 'folder that sessions may use; repeatable (default: the current folder)', collectPaths)
    .option(
      '--trust <folder>',
      'folder whose git repositories may run programs that they configure; repeatable',
      collectPaths,
    )
    .option('--config <file>', 'configuration file (default: config.jsonc in the XDG configuration folder)', pathValue)
    .option('--token-file <file>', 'file with the access token (default: one is made in the data folder)', pathValue)
    .option('--socket <path>', 'also listen on a unix socket', pathValue)
    .option('--stdio', 'also serve one client on standard input and output')
    .option('--tls-cert <file>', 'certificate for TLS (PEM)', pathValue)
    .option('--tls-key <file>', 'private key for TLS (PEM)', pathValue)
    .option('--insecure', 'allow an address other than loopback without TLS')
    .addOption(
      new Option(
        '--durability <level>',
        'what a power cut may lose: the last moments (normal) or nothing (full, slower)',
      )
        .choices(['normal', 'full'])
        .default('normal'),
    )
    .option('--no-web', 'do not serve the web page')
    .option(
      '--fleet <url>',
      'join the fleet with this bus, and listen on no port unless one is given; repeatable',
      collect,
    )
    .option('--enrol <token>', 'become a member of the fleet with the token that "moorage fleet enrol" printed')
    .option('--name <name>', 'what the fleet calls this host when it joins (default: the name of the machine)')
    .option('--no-ship-files', 'in a fleet: keep the files of sessions to this machine; only conversations are shipped')
    .addOption(
      new Option(
        '--on-isolation <what>',
        'in a fleet, when it cannot be reached: agents go on (continue), or are paused, so that another host may safely take their sessions (pause)',
      )
        .choices(['continue', 'pause'])
        .default('continue'),
    )
    .option('--playground', 'make a scratch git repository in the data folder and use it as the root')
    .addOption(
      new Option('--log-level <level>', 'how much to log').choices(['debug', 'info', 'warn', 'error']).default('warn'),
    )
    .option('--json', 'print one JSON object when ready, instead of text')
    .addHelpText('after', EXAMPLES)
    .action(async (options: ServeOptions, command: Command) => {
      if (options.enrol !== undefined && options.fleet === undefined)
        throw new UsageError('--enrol needs the address of the bus: --fleet nats://bus.example:4222');
      if (options.onIsolation === 'pause' && options.fleet === undefined)
        throw new UsageError('--on-isolation is for hosts of a fleet: it needs --fleet, too');
      const { serve } = await import('./serve/serve.js'); // completions need only the options
      const isAsked = (option: string) => command.getOptionValueSource(option) === 'cli';
      await serve({ ...options, listens: options.fleet === undefined || isAsked('port') || isAsked('host') });
    });
}

const EXAMPLES = `
Examples:
  moorage serve                                 serve the current folder on port 7433
  moorage serve --root ~/src --root ~/work      let sessions use these folders
  moorage serve --port 0 --json                 any free port; print where, for scripts
  moorage serve --fleet tls://bus.example:4222 --enrol TOKEN    join a fleet; later without --enrol
`;

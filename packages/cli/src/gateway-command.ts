import { Command, Option } from 'commander';
import type { GatewayCommandOptions } from './gateway/gateway.js';
import { withOidcOptions } from './oidc/options.js';
import { collect, parseDays, parseMegabytes, parsePort, pathValue } from './option-values.js';

/** `moorage gateway`: one address and one login for all hosts of a fleet. */
export default function gatewayCommand(): Command {
  return withOidcOptions(new Command('gateway'))
    .description('Serve all hosts of a fleet at one address until SIGTERM or SIGINT.')
    .requiredOption('--bus <url>', "the fleet's NATS server; repeatable", collect)
    .requiredOption('--store <url>', "the fleet's PostgreSQL database, such as postgres://moorage@db.example/moorage")
    .requiredOption('--keys <folder>', 'the folder that "moorage fleet init" made', pathValue)
    .option(
      '--blobs <place>',
      'where to keep contents above 1 MiB: the address of an S3 bucket, or a folder that all gateways share',
      pathValue,
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 takes any free one', parsePort, 7433)
    .option('--tls-cert <file>', 'certificate for TLS (PEM)', pathValue)
    .option('--tls-key <file>', 'private key for TLS (PEM)', pathValue)
    .option('--insecure', 'allow an address other than loopback without TLS')
    .option(
      '--origin <url>',
      'name under which browsers open the page, such as https://fleet.example; repeatable',
      collect,
    )
    .option(
      '--host-bus <url>',
      'address of the bus that new hosts are told, if it is not that of --bus; repeatable',
      collect,
    )
    .option(
      '--keep-disposed <days>',
      'how long to keep sessions that were deleted on their hosts',
      parseDays,
      DISPOSED_DAYS,
    )
    .option('--keep-log <days>', 'how long to keep what happened before the newest snapshot', parseDays, LOG_DAYS)
    .option(
      '--keep-files <megabytes>',
      "how much to keep of each host's files, as they were after each turn; 0 for none",
      parseMegabytes,
      FILES_MEGABYTES,
    )
    .option('--no-web', 'do not serve the web page')
    .addOption(
      new Option('--log-level <level>', 'how much to log').choices(['debug', 'info', 'warn', 'error']).default('warn'),
    )
    .option('--json', 'print one JSON object when ready, instead of text')
    .addHelpText('after', HELP)
    .action(async (options: GatewayCommandOptions) => {
      const { gateway } = await import('./gateway/gateway.js');
      await gateway(options);
    });
}

const DISPOSED_DAYS = 30;
const LOG_DAYS = 365;
const FILES_MEGABYTES = 1_024;

const HELP = `
It keeps nothing itself: run as many as you like, with the same options. The first one that starts on an empty database
makes the token of an admin, and prints it once. With it "moorage fleet token add" makes those of others.

Examples:
  moorage gateway --keys ~/fleet --bus nats://127.0.0.1:4222 --store postgres://moorage@127.0.0.1/moorage
  moorage gateway --keys ~/fleet --bus tls://bus.example:4222 --store postgres://moorage@db.example/moorage \\
    --host 0.0.0.0 --port 443 --tls-cert fleet.pem --tls-key fleet-key.pem --origin https://fleet.example
`;

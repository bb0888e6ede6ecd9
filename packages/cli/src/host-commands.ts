import { Command } from 'commander';
import backupCommand from './backup-command.js';
import gatewayCommand from './gateway-command.js';
import recoverCommand from './recover-command.js';
import serveCommand from './serve-command.js';
import { UsageError } from './usage-error.js';
import { VERSION } from './version.js';

const WRONG_USAGE = 2;

// The reader of our output may end before the host does (`moorage serve 2>&1 | tee log`): sessions go on without it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const program = new Command('moorage')
  .description('A standalone agent host: durable, shared agent sessions over the Agent Host Protocol.')
  .version(VERSION)
  .showHelpAfterError('(moorage --help lists the commands)')
  .addCommand(serveCommand())
  .addCommand(gatewayCommand())
  .addCommand(backupCommand())
  .addCommand(recoverCommand())
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : WRONG_USAGE));
for (const command of program.commands) {
  command.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : WRONG_USAGE));
  command.showHelpAfterError(`(moorage ${command.name()} --help lists the options)`);
}

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`moorage: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof UsageError ? WRONG_USAGE : 1);
});

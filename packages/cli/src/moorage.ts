import { readCommandLine } from './command-line.js';

// Only one of the two is loaded: a host that starts has no use for the client's commands, and they have none for the host.
const { args, isForHost } = readCommandLine(process.argv.slice(2));
process.argv.splice(2, process.argv.length, ...args);
if (isForHost) await import('./host-commands.js');
else {
  const { flushed, runClientCommand } = await import('./client-commands.js');
  // The reader of our output may be gone before we are done (`moorage log | head`), which is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  process.stderr.on('error', () => {});
  await runClientCommand(args);
  await flushed();
  process.exit();
}

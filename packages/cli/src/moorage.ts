import { readCommandLine } from './command-line.js';

// Only one of the two is loaded: a host that starts has no use for the client's commands, and they have none for the host.
const { args, isForHost } = readCommandLine(process.argv.slice(2));
process.argv.splice(2, process.argv.length, ...args);
await (isForHost ? import('./host-commands.js') : import('./client-commands.js'));

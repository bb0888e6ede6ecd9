import type { Command } from 'commander';
import { collect } from '../../option-values.js';
import { UsageError } from '../../usage-error.js';
import { type CommonOptions, command } from '../command.js';
import { CommandError } from '../errors.js';
import { hostsOf } from '../fleet/hosts.js';
import { placeOn } from '../fleet/placement.js';
import { isGateway } from '../host/elsewhere.js';
import { withHost } from '../host/open.js';
import { note, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { withProgress } from '../output/progress.js';
import { listSessions, namedSession, shortId } from '../sessions/find.js';

interface TakeOptions extends CommonOptions {
  readonly on?: readonly string[];
  readonly folder?: string;
}

export default function takeCommand(): Command {
  return command('take <session>', 'In a fleet: go on with a session on another host, when its own is away.', [
    'moorage take 4f2a --on build-18',
    'moorage take "Fix the login" --on gpu --folder /home/me/src/login',
  ])
    .option('--on <label>', 'the host: a label, its name or the start of its id; repeatable, all must fit', collect)
    .option('-C, --folder <folder>', 'the folder there for its files: one that is not there yet (default: a new one)')
    .action(take);
}

/** Milliseconds: the gateway says earlier if it does not work. */
const TAKING_MS = 30 * 60_000;

async function take(wanted: string, options: TakeOptions): Promise<void> {
  const { on, folder, json } = options;
  if (!on) throw new UsageError('say where: moorage take SESSION --on HOST');
  await withHost(options, async (client) => {
    if (!(await isGateway(client)))
      throw new UsageError(
        'sessions move between the hosts of a fleet, and this is a single host: give its gateway with --host',
      );
    const session = namedSession(await listSessions(client), wanted);
    if (!session)
      throw new CommandError(`there is no session "${plainLine(wanted)}"\nList them with: moorage ls --all`);
    const { id: host, name } = placeOn(await hostsOf(client), on);
    const { resource: channel } = session;
    const params = { channel, host, ...(folder !== undefined && { folder }) };
    const taking = client.request('moorage/takeSession', params, { timeoutMs: TAKING_MS });
    const taken = await withProgress(`moving the session to ${plainLine(name)}`, taking);
    if (json) return printLine(jsonLine({ session: channel, host, ...taken }));
    printLine(`${shortId(session)} "${plainLine(session.title)}" is on ${plainLine(name)} now`);
    if (taken.folder !== undefined)
      note(
        `Its ${taken.files} files, as of the last turn that the fleet has, are in ${plainLine(taken.folder)} there.`,
      );
    if (taken.otherFolders) note(`Those of its other folders are in ${plainLine(taken.otherFolders.join(', '))}.`);
    if (taken.leftOut > 0) note(`${taken.leftOut} files were too large to be kept, and are not there.`);
  });
}

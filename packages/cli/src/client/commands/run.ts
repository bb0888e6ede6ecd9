import type { Command } from 'commander';
import { collect } from '../../option-values.js';
import { UsageError } from '../../usage-error.js';
import { changesOfTurn, printStat } from '../changes/summary.js';
import { type CommonOptions, command } from '../command.js';
import { assertOneHost, assertPlaced } from '../host/elsewhere.js';
import { findHost, namedHost } from '../host/find.js';
import { withHost } from '../host/open.js';
import { ensureHost } from '../host/start.js';
import { note, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { createSession } from '../sessions/create.js';
import { folderUri, sessionId, shortId } from '../sessions/find.js';
import { LiveSession } from '../sessions/live-session.js';
import { type Settings, withSettings } from '../sessions/settings.js';
import { printEnvelopes } from '../turn/envelopes.js';
import { defaultPolicy, exitCodeOf, followTurn, reportEnd } from '../turn/follow.js';
import { readPrompt } from '../turn/read-prompt.js';
import { startTurn } from '../turn/start.js';
import { usageText } from '../turn/usage.js';

interface RunOptions extends CommonOptions, Settings {
  readonly on?: readonly string[];
  readonly folder?: string;
  readonly addFolder?: readonly string[];
  readonly agent?: string;
  readonly model?: string;
  readonly detach?: boolean;
  readonly yes?: boolean;
  readonly deny?: boolean;
  readonly start?: boolean;
}

export default function runCommand(): Command {
  const run = command('run [prompt...]', 'Start a session in the current folder and follow its first turn.', [
    'moorage run "Fix the failing test"',
    'moorage run --agent demo --yes "/write hello.txt Hello"',
    'git diff | moorage run -                          # the prompt from standard input',
    'moorage run --detach "Tidy the imports"           # prints the session; follow it with: moorage attach',
    'moorage run --worktree "Try another way"          # in a git work tree of its own, on a new branch',
    'moorage run -C api --add-folder web "Rename the field"   # one session, two folders, one review',
    'moorage run --on gpu --folder @host "Train it"    # at a gateway: on a host of the fleet with this label',
    'moorage run --json --yes "Update the docs" | jq   # envelopes of the protocol, one per line',
  ])
    .option(
      '-C, --folder <folder>',
      "the folder to work in (default: the current one); @host: the host's default folder",
    )
    .option('--add-folder <folder>', 'another folder to work in, for agents that take several; repeatable', collect)
    .option('-a, --agent <name>', 'which agent (moorage agents lists them)')
    .option('-m, --model <id>', 'which model of the agent')
    .option('--on <label>', 'at the gateway of a fleet: on a host with this label, name or id; repeatable', collect)
    .option('-d, --detach', 'start it and do not wait')
    .option('-y, --yes', 'approve everything the agent asks to do')
    .option('--deny', 'deny everything, and decline questions')
    .option('--start', 'start a host for this folder if none is running');
  return withSettings(run).action(start);
}

async function start(words: string[], options: RunOptions): Promise<void> {
  if (options.yes && options.deny) throw new UsageError('--yes and --deny exclude each other: give one of them');
  if (options.on && options.start) throw new UsageError('--on and --start exclude each other: give one of them');
  if (options.on && findHost(options).member !== undefined)
    throw new UsageError('--on and --host GATEWAY/HOST exclude each other: both name a host of the fleet');
  const text = await readPrompt(words);
  if (options.start) await ensureHost(options);
  process.exitCode = await withHost(options, async (client, machine) => {
    if (options.on && machine === undefined) await assertPlaced(client, options.on);
    await assertOneHost(client, namedHost(options) ?? 'GATEWAY');
    const folder = options.folder === '@host' ? client.hostInfo.defaultDirectory : folderUri(options.folder ?? '.');
    const addFolder = (options.addFolder ?? []).map(folderUri);
    const uri = await createSession(client, { ...options, folder: folder ?? folderUri('.'), addFolder });
    const live = await LiveSession.open(client, uri);
    if (options.json && !options.detach) printEnvelopes(client, live);
    const turnId = await startTurn(live, text, options.model === undefined ? {} : { model: { id: options.model } });
    const id = shortId({ resource: uri });
    if (options.detach) {
      printLine(options.json ? jsonLine({ session: uri, chat: live.main.uri, turnId }) : sessionId({ resource: uri }));
      return 0;
    }
    if (!options.json) note(`session ${id}${machine === undefined ? '' : ` on ${plainLine(machine)}`}`);
    const end = await followTurn(live, turnId, { policy: defaultPolicy(options), prints: !options.json });
    const isOver = end.state !== 'detached' && end.state !== 'lost';
    const changes = isOver ? await changesOfTurn(client, live, turnId) : undefined;
    if (options.json) printLine(jsonLine({ result: { session: uri, turnId, ...end, changes } }));
    else if (changes) printStat(changes);
    const used = isOver && !options.json ? usageText(live.main.confirmed.turns) : undefined;
    if (used !== undefined) note(`used ${used}`);
    if (!options.json || !isOver) reportEnd(end, id);
    return exitCodeOf(end);
  });
}

import type { Command } from 'commander';
import { type CommonOptions, command, wholeNumber } from '../command.js';
import { withHost } from '../host/open.js';
import { note } from '../output/out.js';
import { plainLine } from '../output/plain.js';
import { LiveSession } from '../sessions/live-session.js';
import { attachTo } from '../turn/attach.js';
import { printEnvelopes } from '../turn/envelopes.js';

interface AttachOptions extends CommonOptions {
  readonly once?: boolean;
  readonly turns: number;
}

export default function attachCommand(): Command {
  return command('attach [session]', 'Follow a session, and steer it: what you type is sent, questions are answered.', [
    'moorage attach                    # the newest session of this folder',
    'moorage attach 4f2a',
    'moorage attach 4f2a --once        # leave when no turn runs any more',
    'moorage attach 4f2a --json        # envelopes of the protocol, one per line',
  ])
    .option('--once', 'leave when no turn runs any more')
    .option('-n, --turns <number>', 'how many earlier turns to show', wholeNumber, 3)
    .action(async (session: string | undefined, options: AttachOptions) => {
      await withHost(options, async (client) => {
        const live = await LiveSession.find(client, session);
        note(`session ${live.shortId}: ${plainLine(live.session.confirmed.title)}`);
        if (options.json) printEnvelopes(client, live);
        const { once = false, json = false, turns } = options;
        await attachTo(client, live, { once, json, earlier: turns });
      });
    });
}

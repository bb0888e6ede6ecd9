import type { Command } from 'commander';
import { type CommonOptions, command } from '../command.js';
import { withHost } from '../host/open.js';
import { note } from '../output/out.js';
import { plainLine } from '../output/plain.js';
import { findSession, shortId } from '../sessions/find.js';
import { LiveSession } from '../sessions/live-session.js';
import { attachTo } from '../turn/attach.js';
import { printEnvelopes } from '../turn/envelopes.js';

interface AttachOptions extends CommonOptions {
  readonly once?: boolean;
  readonly turns: string;
}

export default function attachCommand(): Command {
  return command('attach [session]', 'Follow a session, and steer it: what you type is sent, questions are answered.', [
    'ahp attach                    # the newest session of this folder',
    'ahp attach 4f2a',
    'ahp attach 4f2a --once        # leave when no turn runs any more',
    'ahp attach 4f2a --json        # envelopes of the protocol, one per line',
  ])
    .option('--once', 'leave when no turn runs any more')
    .option('-n, --turns <number>', 'how many earlier turns to show', '3')
    .action(async (session: string | undefined, options: AttachOptions) => {
      await withHost(options, async (client) => {
        const summary = await findSession(client, session);
        const live = await LiveSession.open(client, summary.resource);
        note(`session ${shortId(summary)}: ${plainLine(summary.title)}`);
        if (options.json) printEnvelopes(client, live);
        const earlier = Number(options.turns);
        await attachTo(client, live, { once: options.once === true, json: options.json === true, earlier });
      });
    });
}

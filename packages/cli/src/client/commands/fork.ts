import { randomUUID } from 'node:crypto';
import { type CreationExtensions, sessionUri } from '@moorage/protocol';
import type { Command } from 'commander';
import { type CommonOptions, command } from '../command.js';
import { CommandError } from '../errors.js';
import { withHost } from '../host/open.js';
import { printLine } from '../output/out.js';
import { jsonLine } from '../output/plain.js';
import { withProgress } from '../output/progress.js';
import { sessionId } from '../sessions/find.js';
import { findTurn } from '../sessions/find-turn.js';
import { LiveSession } from '../sessions/live-session.js';

interface ForkOptions extends CommonOptions {
  readonly turn?: string;
}

export default function forkCommand(): Command {
  return command('fork [session]', 'Start a session that begins with the turns of another.', [
    'moorage fork 4f2a                # after its last turn',
    'moorage fork 4f2a --turn 2       # after its second turn',
  ])
    .option('--turn <turn>', 'the last turn to take over: its number (-1 is the last) or the start of its id')
    .action(async (wanted: string | undefined, options: ForkOptions) => {
      await withHost(options, async (client) => {
        const live = await LiveSession.find(client, wanted);
        const { turns, resource: chat } = live.main.confirmed;
        const turnId = options.turn === undefined ? turns.at(-1)?.id : findTurn(live.main.confirmed, options.turn);
        if (turnId === undefined) throw new CommandError('the session has no finished turn to fork from yet');
        const channel = sessionUri.format(randomUUID());
        const fork = { session: live.session.uri, turnId };
        const _meta = { 'moorage.fork': fork } satisfies CreationExtensions;
        await withProgress('forking the session', client.request('createSession', { channel, _meta }));
        const from = { ...fork, chat };
        printLine(options.json ? jsonLine({ session: channel, from }) : sessionId({ resource: channel }));
      });
    });
}

import { allTurns } from '@moorage/client';
import type { Command } from 'commander';
import { type CommonOptions, command } from '../command.js';
import { awayNote } from '../host/elsewhere.js';
import { withHost } from '../host/open.js';
import { colour, note, printLine, toTerminal } from '../output/out.js';
import { page } from '../output/pager.js';
import { jsonLine, plain } from '../output/plain.js';
import { findTurn } from '../sessions/find-turn.js';
import { LiveSession } from '../sessions/live-session.js';
import { turnMarkdown } from '../sessions/markdown.js';

interface LogOptions extends CommonOptions {
  readonly turn?: string;
  readonly pager: boolean;
}

export default function logCommand(): Command {
  return command('log [session]', 'Print the conversation of a session.', [
    'moorage log',
    'moorage log 4f2a --turn -1       # the last turn',
    'moorage log 4f2a --json          # the turns, one JSON object per line',
  ])
    .option('--turn <turn>', 'one turn: its number (-1 is the last) or the start of its id')
    .option('--no-pager', 'print everything at once')
    .action(async (session: string | undefined, options: LogOptions) => {
      await withHost(options, async (client) => {
        const live = await LiveSession.find(client, session);
        const away = awayNote(live.session.confirmed);
        if (away !== undefined) note(`moorage: ${away}`);
        const { activeTurn } = live.main.confirmed;
        const turns = [...(await allTurns(client, live.main)), ...(activeTurn ? [activeTurn] : [])];
        const numbered = turns.map((turn, index) => ({ turn, number: index + 1 }));
        const wanted = options.turn === undefined ? undefined : findTurn(live.main.confirmed, options.turn);
        const chosen = numbered.filter(({ turn }) => wanted === undefined || turn.id === wanted);
        if (options.json) for (const { turn } of chosen) printLine(jsonLine(turn));
        else
          await page(
            `${chosen.map(({ turn, number }) => painted(turnMarkdown(turn, number))).join('\n\n')}\n`,
            options.pager,
          );
      });
    });
}

function painted(markdown: string): string {
  const text = plain(markdown);
  if (!toTerminal) return text;
  return text.replace(/^## .*$/gm, (line) => colour.bold(line)).replace(/^> .*$/gm, (line) => colour.cyan(line));
}

import type { Client } from '@moorage/client';
import type { DisposedSession } from '@moorage/protocol';
import type { Command } from 'commander';
import { type CommonOptions, command } from '../command.js';
import { CommandError } from '../errors.js';
import { withHost } from '../host/open.js';
import { colour, note, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { withProgress } from '../output/progress.js';
import { printTable } from '../output/table.js';
import { findSession, namedSession, shortId, shortIds } from '../sessions/find.js';
import { removedSessions } from '../sessions/removed.js';
import { ago } from '../sessions/status.js';

export default function restoreCommand(): Command {
  return command('restore [removed-session]', 'Bring a removed session back; without one, list those that can be.', [
    'moorage restore                  # what was removed, and until when it is kept',
    'moorage restore 4f2a',
    'moorage archive 4f2a --undo      # an archived session was never removed',
  ]).action(async (wanted: string | undefined, options: CommonOptions) => {
    await withHost(options, async (client) => {
      const removed = await removedSessions(client);
      if (!removed) throw new CommandError('this host cannot bring removed sessions back');
      if (wanted === undefined) {
        if (options.json) printLine(jsonLine(removed));
        else printRemoved(removed);
        return;
      }
      const session = await find(client, removed, wanted);
      const { resource: channel } = session;
      await withProgress('restoring the session', client.request('restoreSession', { channel }));
      if (options.json) return printLine(jsonLine({ restored: channel }));
      printLine(`restored ${shortId(session)} "${plainLine(session.title)}"`);
    });
  });
}

function printRemoved(removed: readonly DisposedSession[]): void {
  if (removed.length === 0) {
    note('There is no removed session that could be brought back.');
    return;
  }
  const now = Date.now();
  const ids = shortIds(removed.map(({ summary }) => summary));
  const rows = removed.map(({ summary, disposedAt, keptUntil }) => [
    ids.get(summary) ?? '',
    ago(disposedAt, now),
    new Date(keptUntil).toISOString().slice(0, 'YYYY-MM-DD'.length),
    plainLine(summary.title) || '(untitled)',
  ]);
  printTable(['ID', 'REMOVED', 'KEPT UNTIL', 'TITLE'], rows, (cell, _column, row) =>
    row < 0 ? colour.dim(cell) : cell,
  );
}

async function find(client: Client, removed: readonly DisposedSession[], wanted: string) {
  const summaries = removed.map(({ summary }) => summary);
  const session = namedSession(summaries, wanted);
  if (session) return session;
  const living = await findSession(client, wanted).catch(() => undefined);
  throw new CommandError(
    living
      ? `session ${shortId(living)} "${plainLine(living.title)}" was not removed`
      : `there is no removed session "${plainLine(wanted)}"\nList them with: moorage restore`,
  );
}

import type { Client } from '@moorage/client';
import { type ChatInputRequest, createdAtOf, modifiedAtOf, selectionOf, sessionUsage } from '@moorage/protocol';
import type { Command } from 'commander';
import { pathOf } from '../changes/paths.js';
import { type CommonOptions, command } from '../command.js';
import { awayNote } from '../host/elsewhere.js';
import { withHost } from '../host/open.js';
import { colour, printLine } from '../output/out.js';
import { jsonLine, plainLine } from '../output/plain.js';
import { plural } from '../output/plural.js';
import { sessionId } from '../sessions/find.js';
import { LiveSession } from '../sessions/live-session.js';
import { activityName, ago, isArchived } from '../sessions/status.js';
import { detailsOf } from '../turn/approval-text.js';
import { titleOf } from '../turn/call-text.js';
import { pendingRequests, requestId } from '../turn/pending-requests.js';
import { sessionUsageText, usageText } from '../turn/usage.js';

export default function showCommand(): Command {
  return command('show [session]', 'Show a session: what it is, what it changed, what waits for you.', [
    'moorage show',
    'moorage show 4f2a --json',
  ]).action(async (session: string | undefined, options: CommonOptions) => {
    await withHost(options, async (client, machine) => {
      const live = await LiveSession.find(client, session);
      const allPending = pendingRequests(await live.allChats());
      if (options.json) {
        const chats = live.chats.map(({ confirmed }) => confirmed);
        return printLine(
          jsonLine({ session: live.session.confirmed, chats, ...(machine !== undefined && { host: machine }) }),
        );
      }
      const state = live.session.confirmed;
      const { changesets = [], config } = state;
      const createdAt = createdAtOf(state);
      const { model } = selectionOf(live.main.confirmed);
      const { turns, activeTurn } = live.main.confirmed;
      const usage = sessionUsage(state);
      const now = Date.now();
      const rows: [string, string | undefined][] = [
        ['host', awayNote(state) ?? machine],
        ['id', sessionId({ resource: live.session.uri })],
        ['title', state.title || '(untitled)'],
        ['state', `${activityName(state.status)}${isArchived(state.status) ? ', archived' : ''}`],
        ['agent', `${state.provider}${model ? `, ${model.id}` : ''}`],
        ['folder', state.workingDirectories?.map((folder) => pathOf(folder, undefined)).join(', ')],
        [
          'branch',
          config?.values.isolation === 'worktree'
            ? `${config.values.branchName}, from ${config.values.baseBranch}`
            : undefined,
        ],
        ['started', createdAt === 0 ? undefined : ago(createdAt, now)],
        ['changed', ago(modifiedAtOf(state), now)],
        ['turns', `${turns.length + (activeTurn ? 1 : 0)}${activeTurn ? ' (one is running)' : ''}`],
        ['used', usage ? sessionUsageText(usage) : usageText([...turns, ...(activeTurn ? [activeTurn] : [])])],
        ['budget', config?.values.budget ? String(config.values.budget) : undefined],
      ];
      rows.push(['watching', await othersWatching(client, live.session.uri)]);
      for (const [name, value] of rows) if (value) printLine(`${colour.dim(name.padEnd(9))} ${plainLine(value)}`);
      for (const { changeKind, additions, deletions, files } of changesets) {
        if (files)
          printLine(
            `${colour.dim(plainLine(changeKind).padEnd(9))} ${plural(files, 'file')}, +${additions ?? 0} -${deletions ?? 0}`,
          );
      }
      for (const pending of allPending) {
        const what = pending.kind === 'question' ? 'asks' : 'approval';
        const text = pending.kind === 'question' ? questionOf(pending.request) : titleOf(pending.call);
        printLine(`${colour.yellow(what.padEnd(9))} ${plainLine(requestId(pending))}  ${text}`);
        if (pending.kind === 'question') continue;
        for (const line of (await detailsOf(live, pending)).whole) printLine(`  ${line}`);
      }
    });
  });
}

function questionOf({ questions, message, url }: ChatInputRequest): string {
  return plainLine(`${questions?.[0]?.message ?? message ?? ''} ${url ?? ''}`);
}

/** Who else follows the session, by name; undefined if nobody does, or the host cannot tell. */
async function othersWatching(client: Client, session: string): Promise<string | undefined> {
  const { items } = await client.request('moorage/listWatchers', { channel: session }).catch(() => ({ items: [] }));
  const others = items.filter(({ clientId }) => clientId !== client.clientId);
  const names = others.map(({ name = 'you', program }) => (program === undefined ? name : `${name} (${program})`));
  return names.length === 0 ? undefined : [...new Set(names)].join(', ');
}

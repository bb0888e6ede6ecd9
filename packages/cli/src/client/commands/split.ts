import { changesetUri, ExtensionMeta, primaryDirectory } from '@moorage/protocol';
import type { Command } from 'commander';
import { UsageError } from '../../usage-error.js';
import { chooseHunks } from '../changes/hunks.js';
import { openChangeset } from '../changes/open.js';
import { findFile, invoke, wholeFile } from '../changes/operate.js';
import { type CommonOptions, command } from '../command.js';
import { CommandError } from '../errors.js';
import { withHost } from '../host/open.js';
import { askLine, confirm } from '../output/confirm.js';
import { printLine } from '../output/out.js';
import { jsonLine } from '../output/plain.js';
import { LiveSession } from '../sessions/live-session.js';

interface SplitOptions extends CommonOptions {
  readonly file?: readonly string[];
  readonly interactive?: boolean;
  readonly message?: string;
  readonly yes?: boolean;
}

export default function splitCommand(): Command {
  return command(
    'split <commit> [session]',
    'Make two commits of one that was not pushed: first the chosen files or hunks, then the rest. moorage undo undoes it.',
    [
      'moorage split 3f9c2ab --file src/cache.ts -m "Add a cache"',
      'moorage split 3f9c2ab 4f2a --interactive    # hunk by hunk; asks for the message',
    ],
  )
    .option('--file <path...>', 'these files')
    .option('-i, --interactive', 'choose hunks')
    .option('-m, --message <text>', 'the message of the commit with what is chosen; the rest keeps its own')
    .option('-y, --yes', 'do not ask')
    .action((commit: string, session: string | undefined, options: SplitOptions) => split(commit, session, options));
}

async function split(commit: string, session: string | undefined, options: SplitOptions): Promise<void> {
  const { file, interactive, json, yes } = options;
  if (!file && !interactive) throw new UsageError('name files with --file, or choose hunks with --interactive');
  if (interactive && (!process.stdin.isTTY || json))
    throw new UsageError('--interactive needs a terminal; name files with --file instead');
  if (!/^[0-9a-f]{4,64}$/.test(commit)) throw new UsageError(`${commit} is not the id of a commit, such as 3f9c2ab`);
  if (options.message?.trim() === '') throw new UsageError('the message is empty: say with -m what the commit does');
  if (options.message === undefined && !process.stdin.isTTY)
    throw new UsageError('give the message of the new commit with -m');
  await withHost(options, async (client) => {
    const live = await LiveSession.find(client, session);
    const folder = primaryDirectory(live.session.confirmed);
    const channel = changesetUri(live.session.uri, { kind: 'commit', commit });
    const { files } = (await openChangeset(client, channel)).confirmed;
    if (files.length === 0)
      throw new CommandError(`there is no commit ${commit} in this session's folder, or it changes nothing there`);
    const chosen = file?.map((path) => findFile(files, folder, path)) ?? files;
    const parts = interactive
      ? await chooseHunks(client, chosen, folder, 'Put into the first commit')
      : chosen.flatMap((one) => wholeFile(one) ?? []);
    if (parts.length === 0) throw new CommandError('nothing was chosen, so nothing was done');
    const message = options.message ?? (await askLine('Message of the first commit (empty: do nothing): '));
    if (!message) throw new CommandError('nothing was done');
    if (!interactive)
      await confirm(`Split ${commit}? The commits since are made again; moorage undo brings them back.`, yes);
    const _meta = { [ExtensionMeta.parts]: parts, [ExtensionMeta.message]: message };
    const said = await invoke(client, { channel, operationId: 'split', _meta });
    printLine(json ? jsonLine({ operation: 'split', changeset: channel, messages: [said] }) : said);
  });
}

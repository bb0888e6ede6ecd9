import type { Client } from '@moorage/client';
import { type ChangesetFile, type ChatState, primaryDirectory } from '@moorage/protocol';
import type { Command } from 'commander';
import { UsageError } from '../../usage-error.js';
import { blamedDiff, type FileBlame, readBlame } from '../changes/blame.js';
import { gitDiff } from '../changes/git-diff.js';
import { openChangeset } from '../changes/open.js';
import { withChangesOptions } from '../changes/options.js';
import { paintDiff, paintWordDiff } from '../changes/paint.js';
import { type Base, pathOf } from '../changes/paths.js';
import { type ChangesOptions, selectChangeset } from '../changes/select.js';
import { printStat, statOf } from '../changes/summary.js';
import { writeTrees } from '../changes/trees.js';
import { type CommonOptions, command } from '../command.js';
import { ExitCode } from '../errors.js';
import { withHost } from '../host/open.js';
import { note, printLine, toTerminal } from '../output/out.js';
import { page } from '../output/pager.js';
import { jsonLine, plainContent, plainLine } from '../output/plain.js';
import { plural } from '../output/plural.js';
import { withProgress } from '../output/progress.js';
import { LiveSession } from '../sessions/live-session.js';

interface DiffOptions extends CommonOptions, Omit<ChangesOptions, 'compare'> {
  readonly compare?: string[];
  readonly file?: string[];
  readonly stat?: boolean;
  readonly wordDiff?: boolean;
  readonly patch?: boolean;
  readonly blame?: boolean;
  readonly pager: boolean;
}

export default function diffCommand(): Command {
  const diff = command('diff [session] [other]', 'Show what a session changed, or how two sessions differ.', [
    'moorage diff                       # all that the newest session of this folder changed',
    'moorage diff 4f2a --turn -1        # what its last turn changed',
    'moorage diff 4f2a --stat',
    'moorage diff 4f2a --compare 1 3    # what changed from turn 1 to turn 3',
    'moorage diff 4f2a 81c0             # from what the first session made of the files to what the second did',
    'moorage diff 4f2a --blame          # with the turn that wrote each line',
    'moorage diff 4f2a --patch | git apply',
  ]);
  return withChangesOptions(diff)
    .option('--file <path...>', 'only these files')
    .option('--stat', 'only the list of files')
    .option('--word-diff', 'show changed words, not lines')
    .option('--blame', 'with who wrote or removed each line: a turn, the user, another chat')
    .option('--patch', 'exactly what git apply takes, binary files included')
    .option('--no-pager', 'print everything at once')
    .action(show);
}

async function show(session: string | undefined, other: string | undefined, options: DiffOptions): Promise<void> {
  await withHost(options, async (client) => {
    if (session !== undefined && other !== undefined) return compare(client, session, other, options);
    const live = await LiveSession.find(client, session);
    const state = live.session.confirmed;
    const folder = primaryDirectory(state);
    const uri = selectChangeset(state, live.main.confirmed, options, 'session');
    const { files: all, operations } = (await openChangeset(client, uri)).confirmed;
    const files = all.filter(({ edit }) => isWanted([edit.before?.uri, edit.after?.uri], folder, options.file));
    if (options.blame && (options.stat || options.wordDiff || options.patch))
      throw new UsageError('--blame goes with none of --stat, --word-diff and --patch');
    if (options.json) {
      const listed = options.blame ? await withBlame(client, uri, files) : files;
      return printLine(jsonLine({ changeset: uri, files: listed, ...(operations && { operations }) }));
    }
    if (options.stat)
      return printStat(
        files.map((file) => statOf(file, folder)),
        files.length,
      );
    if (files.length === 0) return note(options.file ? `No changes of ${options.file.join(', ')}.` : 'No changes.');
    if (options.blame) return showBlame(client, uri, files, { folder, chat: live.main.confirmed }, options.pager);
    await showDiff(client, files, folder, options);
  });
}

/** What the first session made of the files against what the second one did. */
async function compare(client: Client, session: string, other: string, options: DiffOptions): Promise<void> {
  if (options.blame || options.compare || options.turn !== undefined || options.branch || options.uncommitted)
    throw new UsageError(
      'two sessions are compared as a whole: name one of them to choose a turn, the branch or --blame',
    );
  const [one, two] = [await LiveSession.find(client, session), await LiveSession.find(client, other)];
  const params = { channel: one.session.uri, other: two.session.uri };
  const compared = await withProgress('comparing', client.request('moorage/compareSessions', params));
  const folders = [one, two].flatMap((live) => live.session.confirmed.workingDirectories ?? []);
  const files = compared.files.filter(({ edit }) =>
    isWanted([edit.before?.uri, edit.after?.uri], folders, options.file),
  );
  if (options.json) return printLine(jsonLine({ ...compared, files }));
  if (compared.left > 0) note(`moorage: ${plural(compared.left, 'more file')} not shown`);
  if (options.stat)
    return printStat(
      files.map((file) => statOf(file, folders)),
      files.length,
    );
  if (files.length === 0) return note('No differences.');
  await showDiff(client, files, folders, options);
}

async function showDiff(
  client: Client,
  files: readonly ChangesetFile[],
  folder: Base,
  options: Pick<DiffOptions, 'patch' | 'wordDiff' | 'pager'>,
): Promise<void> {
  const trees = await withProgress('reading files', writeTrees(client, files, folder));
  try {
    if (options.patch) await printPatch(await gitDiff(trees, ['--binary', '--full-index']), options.pager);
    else if (options.wordDiff)
      await page(paintWordDiff((await gitDiff(trees, ['--word-diff=porcelain'])).toString()), options.pager);
    else await page(paintDiff((await gitDiff(trees, [])).toString()), options.pager);
    for (const reason of trees.missing) note(`moorage: not shown: ${plainLine(reason)}`);
    if (options.patch && trees.missing.length > 0) process.exitCode = ExitCode.Failed;
  } finally {
    trees.remove();
  }
}

async function withBlame(client: Client, uri: string, files: readonly ChangesetFile[]) {
  const listed: (ChangesetFile & { blame: FileBlame })[] = [];
  for (const file of files) listed.push({ ...file, blame: await readBlame(client, uri, file) });
  return listed;
}

async function showBlame(
  client: Client,
  uri: string,
  files: readonly ChangesetFile[],
  shown: { readonly folder: string | undefined; readonly chat: ChatState },
  pager: boolean,
): Promise<void> {
  const texts: string[] = [];
  const reading = async () => {
    for (const file of files) {
      const { text, missing } = await blamedDiff(client, { file, blame: await readBlame(client, uri, file), ...shown });
      texts.push(text);
      for (const reason of missing) note(`moorage: not shown: ${plainLine(reason)}`);
    }
  };
  await withProgress('reading files', reading());
  await page(texts.join(''), pager);
}

/** Byte for byte for programs; on a terminal without control characters, which it would obey. */
async function printPatch(patch: Buffer, pager: boolean): Promise<void> {
  if (toTerminal) await page(plainContent(patch.toString()), pager);
  else process.stdout.write(patch);
}

function isWanted(uris: readonly (string | undefined)[], folder: Base, paths: readonly string[] | undefined): boolean {
  if (paths === undefined) return true;
  return uris.some((uri) => {
    const path = uri === undefined ? undefined : pathOf(uri, folder);
    return (
      path !== undefined && paths.some((wanted) => path === wanted || path.startsWith(`${wanted.replace(/\/$/, '')}/`))
    );
  });
}

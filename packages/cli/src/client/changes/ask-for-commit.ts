import { type ChangesetFile, ExtensionMeta } from '@moorage/protocol';
import { UsageError } from '../../usage-error.js';
import { CommandError } from '../errors.js';
import { askLine, confirm } from '../output/confirm.js';
import { note } from '../output/out.js';
import { plainLine } from '../output/plain.js';
import { pathOf } from './paths.js';

export interface CommitQuestion {
  readonly message?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Shows what will be committed and asks for the message, or for consent if the message is given. */
export async function askForCommit(
  all: readonly ChangesetFile[],
  folder: string | undefined,
  { message, yes, json }: CommitQuestion,
): Promise<Record<string, unknown>> {
  if (message?.trim() === '') throw new UsageError('the message is empty: say with -m what the commit does');
  const staged = all.filter(({ _meta }) => _meta?.[ExtensionMeta.staged] === true);
  const files = staged.length > 0 ? staged : all;
  if (!json) showFiles(files, folder, staged.length > 0);
  if (yes) return { ...(message !== undefined && { [ExtensionMeta.message]: message }) };
  if (!process.stdin.isTTY) throw new UsageError('commit asks first: give the message with -m and consent with --yes');
  const wanted = message ?? (await askLine('Message (empty: do not commit): '));
  if (!wanted) throw new CommandError('nothing was done');
  if (message !== undefined) await confirm('Commit this?', yes);
  return { [ExtensionMeta.message]: wanted, [ExtensionMeta.files]: files.map(({ id }) => id) };
}

function showFiles(files: readonly ChangesetFile[], folder: string | undefined, areStaged: boolean): void {
  note(areStaged ? 'To be committed, as staged:' : 'Nothing is staged. To be committed, everything:');
  for (const { edit } of files) {
    const sign = !edit.before ? 'A' : !edit.after ? 'D' : 'M';
    note(`  ${sign} ${plainLine(pathOf((edit.after ?? edit.before)?.uri ?? '', folder))}`);
  }
}

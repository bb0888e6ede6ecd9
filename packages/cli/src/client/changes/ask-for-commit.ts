import { type ChangesetFile, changesetUri, ExtensionMeta } from '@moorage/protocol';
import { UsageError } from '../../usage-error.js';
import { CommandError } from '../errors.js';
import { askLine, confirm } from '../output/confirm.js';
import { note } from '../output/out.js';
import { plainLine } from '../output/plain.js';
import { openChangeset } from './open.js';
import type { ShownChanges } from './operate.js';
import { pathOf } from './paths.js';

export interface CommitQuestion {
  readonly message?: string;
  readonly what?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Shows what will be committed and asks for the message, or for consent if the message is given. */
export async function askForCommit(
  shown: ShownChanges,
  { message, what: wanted, yes, json }: CommitQuestion,
): Promise<Record<string, unknown>> {
  if (message?.trim() === '') throw new UsageError('the message is empty: say with -m what the commit does');
  const isStaged = ({ _meta }: ChangesetFile) => _meta?.[ExtensionMeta.staged] === true;
  const what = wanted ?? (shown.files.some(isStaged) ? 'staged' : 'session');
  const files = await chosenFiles(shown, what);
  if (!json) showFiles(files, shown.folder, what);
  const choice = { [ExtensionMeta.what]: what };
  if (yes) return { ...choice, ...(message !== undefined && { [ExtensionMeta.message]: message }) };
  if (!process.stdin.isTTY) throw new UsageError('commit asks first: give the message with -m and consent with --yes');
  const words = message ?? (await askMessage(shown));
  if (message !== undefined) await confirm('Commit this?', yes);
  return { ...choice, [ExtensionMeta.message]: words, [ExtensionMeta.files]: files.map(({ id }) => id) };
}

/** The files that the choice is about. Of those of the session and the reviewed ones, only some lines may be meant. */
async function chosenFiles({ client, session, files }: ShownChanges, what: string): Promise<readonly ChangesetFile[]> {
  if (what === 'staged') return files.filter(({ _meta }) => _meta?.[ExtensionMeta.staged] === true);
  if (what === 'reviewed')
    return files.filter(({ reviewed, _meta }) => reviewed || _meta?.[ExtensionMeta.reviewedHunks] !== undefined);
  if (what === 'all') return files;
  const changeset = await openChangeset(client, changesetUri(session, { kind: 'session' }));
  const changed = new Set(files.map(({ id }) => id));
  return changeset.confirmed.files.filter(({ id }) => changed.has(id));
}

async function askMessage({ client, channel }: ShownChanges): Promise<string> {
  const { message = '' } = await client
    .request('moorage/suggestCommitMessage', { channel })
    .catch(() => ({ message: '' }));
  const suggested = plainLine(message.split('\n')[0] ?? '');
  if (suggested !== '') note(`Suggested: ${suggested}`);
  const hint = suggested === '' ? 'empty: do not commit' : 'empty: do not commit; =: as suggested';
  const words = await askLine(`Message (${hint}): `);
  if (!words) throw new CommandError('nothing was done');
  return words === '=' && suggested !== '' ? message : words;
}

function showFiles(files: readonly ChangesetFile[], folder: string | undefined, what: string): void {
  note(HEADINGS[what] ?? '');
  for (const { edit } of files) {
    const sign = !edit.before ? 'A' : !edit.after ? 'D' : 'M';
    note(`  ${sign} ${plainLine(pathOf((edit.after ?? edit.before)?.uri ?? '', folder))}`);
  }
}

const HEADINGS: Readonly<Record<string, string>> = {
  staged: 'To be committed, as staged:',
  session: 'To be committed, what this session changed:',
  reviewed: 'To be committed, what is marked as reviewed:',
  all: 'To be committed, everything that changed here:',
};

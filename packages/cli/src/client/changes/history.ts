import { type Client, RpcError } from '@moorage/client';
import { type HistoryStep, JsonRpcErrorCodes, type ResourceReadResult, ROOT_URI } from '@moorage/protocol';
import { UsageError } from '../../usage-error.js';
import { CommandError } from '../errors.js';
import { colour, note } from '../output/out.js';
import { plainLine } from '../output/plain.js';
import { withProgress } from '../output/progress.js';
import { printTable } from '../output/table.js';
import { folderUri } from '../sessions/find.js';
import { ago } from '../sessions/status.js';

export interface HistoryOptions {
  readonly folder?: string;
  readonly file?: string;
  readonly hunk?: readonly string[];
}

/** Steps that are listed, and searched for one that the user names: far more than anybody reads. */
const MAX_STEPS = 1_000;

/** What operations did to a folder, newest first; undefined if the host has no histories. */
export async function historyOf(client: Client, { folder = '.' }: HistoryOptions): Promise<HistoryStep[] | undefined> {
  const steps: HistoryStep[] = [];
  const params = { channel: ROOT_URI, folder: folderUri(folder) } as const;
  try {
    for (let cursor: string | undefined; ; ) {
      const asking = client.request('moorage/listHistory', { ...params, ...(cursor !== undefined && { cursor }) });
      const page = await withProgress('reading the history', asking);
      steps.push(...page.items);
      cursor = page.nextCursor;
      if (cursor === undefined || steps.length >= MAX_STEPS) return steps;
    }
  } catch (error) {
    // The method is our extension, which other hosts do not know.
    if (error instanceof RpcError && error.code === JsonRpcErrorCodes.MethodNotFound) return undefined;
    throw error;
  }
}

/** Characters that name a step: with fewer, the start of a session's id would too often be that of a step. */
const MIN_STEP_CHARS = 6;

/** The step whose id begins like this; undefined if there is none. */
export function namedStep(steps: readonly HistoryStep[], wanted: string): HistoryStep | undefined {
  if (wanted.length < MIN_STEP_CHARS) return undefined;
  const found = steps.filter(({ id }) => id.startsWith(wanted));
  if (found.length > 1) throw new UsageError(`several steps begin with ${plainLine(wanted)}: give more of the id`);
  return found[0];
}

/** Undoes or redoes a step, or the newest that can be, and says what it did. */
export async function changeStep(
  client: Client,
  method: 'moorage/undoHistoryStep' | 'moorage/redoHistoryStep',
  step: string | undefined,
  { folder = '.', file, hunk }: HistoryOptions,
): Promise<{ message: string; step: string; left: string[] }> {
  const hunks = hunk?.map((number) => Number(number) - 1);
  if (hunks?.some((number) => !Number.isInteger(number) || number < 0))
    throw new UsageError('--hunk takes numbers from 1');
  const params = {
    channel: ROOT_URI,
    folder: folderUri(folder),
    ...(step !== undefined && { step }),
    ...(file !== undefined && { path: file }),
    ...(hunks && { hunks }),
  } as const;
  return withProgress(method === 'moorage/undoHistoryStep' ? 'undo' : 'redo', client.request(method, params));
}

/** What a file had before a step. */
export async function removedBy(client: Client, { id }: HistoryStep, options: HistoryOptions): Promise<Buffer> {
  const { folder = '.', file } = options;
  if (file === undefined) throw new UsageError('--print needs --file');
  const params = { channel: ROOT_URI, folder: folderUri(folder), step: id, path: file } as const;
  const { items } = await client.request('moorage/listHistoryFiles', params);
  const uri = items[0]?.before ?? items[0]?.stagedBefore;
  if (uri === undefined) throw new CommandError(`there was no ${plainLine(file)} before this step`);
  const { data, encoding }: ResourceReadResult = await client.request('resourceRead', { channel: ROOT_URI, uri });
  return Buffer.from(data, encoding === 'base64' ? 'base64' : 'utf8');
}

export function printHistory(steps: readonly HistoryStep[]): void {
  if (steps.length === 0) {
    note('Nothing was done in this folder that could be undone.');
    return;
  }
  const now = Date.now();
  const rows = steps.map((step) => [
    plainLine(step.id.slice(0, 8)),
    step.at === undefined ? '' : ago(step.at, now),
    plainLine([step.person, step.program ?? step.client].filter(Boolean).join(', ')),
    step.undone === 'none' ? '' : step.undone === 'all' ? 'undone' : 'partly undone',
    `${plainLine(step.label)}${step.fileCount === 1 ? '' : ` (${step.files.map(({ path }) => plainLine(path)).join(', ')})`}`,
  ]);
  printTable(['STEP', 'WHEN', 'BY', 'UNDONE', 'WHAT'], rows, (cell, _column, row) =>
    row < 0 ? colour.dim(cell) : cell,
  );
}

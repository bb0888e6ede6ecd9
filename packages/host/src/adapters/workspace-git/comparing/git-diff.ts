import { join } from 'node:path';
import type { CompareOptions, FileChange, StateId } from '../../../ports/workspace.js';
import { FIRST_FILES, RENAME_LIMIT } from '../limits.js';
import type { Shadow } from '../repository/shadow.js';
import { parseDiff } from './parse-diff.js';

interface DiffOptions extends CompareOptions {
  /** Called with most content ids long before the end: git prints all names first, then counts lines. */
  readonly onContents?: (contentIds: readonly string[]) => void;
}

/** Compares two states with git. */
export async function diff(
  { run, directory }: Shadow,
  from: StateId,
  to: StateId,
  { signal, onFirst, onContents }: DiffOptions = {},
): Promise<FileChange[]> {
  const args = [...RAW, '--numstat', '-M', `-l${RENAME_LIMIT}`, ...AS_IS, from, to];
  const first = onFirst && new FirstFiles(onFirst);
  const onOutput = (chunk: Buffer) => {
    first?.take(chunk);
    onContents?.(contentIdsIn(chunk));
  };
  return parseDiff(await run(args, { signal, onOutput, index: noIndex(directory) }));
}

/** Ids in complete records only: a record that is split between two chunks is left out. */
function contentIdsIn(chunk: Buffer): string[] {
  const ids: string[] = [];
  for (const [, before = '', after = ''] of chunk.toString('latin1').matchAll(RAW_RECORD)) {
    if (!NO_CONTENT.test(before)) ids.push(before);
    if (!NO_CONTENT.test(after)) ids.push(after);
  }
  return ids;
}

const RAW_RECORD = /:[0-7]{6} [0-7]{6} ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [A-Z]/g;
const NO_CONTENT = /^0+$/;

/** The same without line counts. Reads no contents, so it works even if some are lost. */
export async function diffNames({ run, directory }: Shadow, from: StateId, to: StateId): Promise<FileChange[]> {
  return parseDiff(await run([...RAW, '-M100%', ...AS_IS, from, to], { index: noIndex(directory) }));
}

/**
 * An index that does not exist. Git would read the index, and look at each file in the folder to save reading its
 * object; each takes as long as the comparison itself.
 */
function noIndex(directory: string): string {
  return join(directory, 'no-index');
}

const RAW = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev'];
const AS_IS = ['--no-ext-diff', '--no-textconv', '--no-relative', '--ignore-submodules=none'];

/** Reports the first files while git is still counting: it prints all names before it starts. */
class FirstFiles {
  readonly #report: NonNullable<CompareOptions['onFirst']>;
  #chunks: Buffer[] = [];
  #reported = false;

  constructor(report: NonNullable<CompareOptions['onFirst']>) {
    this.#report = report;
  }

  take(chunk: Buffer): void {
    if (this.#reported) return;
    this.#chunks.push(chunk);
    const output = Buffer.concat(this.#chunks);
    const changes = parseDiff(output.subarray(0, output.lastIndexOf(':') - 1)).slice(0, -1);
    if (changes.length < FIRST_FILES) return;
    this.#reported = true;
    this.#chunks = [];
    this.#report(
      changes
        .slice(0, FIRST_FILES)
        .map(({ before, after }) => ({ ...(before && { before }), ...(after && { after }) })),
    );
  }
}

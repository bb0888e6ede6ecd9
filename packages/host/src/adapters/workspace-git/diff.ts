import { join } from 'node:path';
import type { CompareOptions, FileChange, StateId } from '../../ports/workspace.js';
import { FIRST_FILES, RENAME_LIMIT } from './limits.js';
import { parseDiff } from './parse-diff.js';
import type { Shadow } from './shadow.js';

interface DiffOptions extends CompareOptions {
  /** Told of most contents long before the end: git prints all names, then it counts. */
  readonly onContents?: (contentIds: readonly string[]) => void;
}

/** How git says that two states differ. */
export async function diff(
  { run, directory }: Shadow,
  from: StateId,
  to: StateId,
  { signal, onFirst, onContents }: DiffOptions = {},
): Promise<FileChange[]> {
  const args = [...RAW, '--numstat', '-M', `-l${RENAME_LIMIT}`, ...AS_IS, from, to];
  const first = onFirst && new First(onFirst);
  const onOutput = (chunk: Buffer) => {
    first?.take(chunk);
    onContents?.(contentIdsIn(chunk));
  };
  return parseDiff(await run(args, { signal, onOutput, index: noIndex(directory) }));
}

/** Those of whole records; one that two chunks share is left out. */
function contentIdsIn(chunk: Buffer): string[] {
  const ids: string[] = [];
  for (const [, before = '', after = ''] of chunk.toString('latin1').matchAll(RAW_RECORD)) {
    if (!NOTHING.test(before)) ids.push(before);
    if (!NOTHING.test(after)) ids.push(after);
  }
  return ids;
}

const RAW_RECORD = /:[0-7]{6} [0-7]{6} ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [A-Z]/g;
const NOTHING = /^0+$/;

/** The same without counts, for which no contents are needed: some may be lost. */
export async function diffNames({ run, directory }: Shadow, from: StateId, to: StateId): Promise<FileChange[]> {
  return parseDiff(await run([...RAW, '-M100%', ...AS_IS, from, to], { index: noIndex(directory) }));
}

/** Git reads it first, and then looks at each file in the folder to save reading an object: both take as long as the rest. */
function noIndex(directory: string): string {
  return join(directory, 'no-index');
}

const RAW = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev'];
const AS_IS = ['--no-ext-diff', '--no-textconv', '--no-relative', '--ignore-submodules=none'];

/** Git prints all names before it starts to count: the first ones can be shown while it does. */
class First {
  readonly #tell: NonNullable<CompareOptions['onFirst']>;
  #chunks: Buffer[] = [];
  #told = false;

  constructor(tell: NonNullable<CompareOptions['onFirst']>) {
    this.#tell = tell;
  }

  take(chunk: Buffer): void {
    if (this.#told) return;
    this.#chunks.push(chunk);
    const output = Buffer.concat(this.#chunks);
    const changes = parseDiff(output.subarray(0, output.lastIndexOf(':') - 1)).slice(0, -1);
    if (changes.length < FIRST_FILES) return;
    this.#told = true;
    this.#chunks = [];
    this.#tell(
      changes
        .slice(0, FIRST_FILES)
        .map(({ before, after }) => ({ ...(before && { before }), ...(after && { after }) })),
    );
  }
}

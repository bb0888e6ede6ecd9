import { setImmediate as yieldTurn } from 'node:timers/promises';
import type { CompareOptions, FileChange, StateId } from '../../../ports/workspace.js';
import { GitRefusal } from '../../shared/git/git.js';
import { FIRST_FILES } from '../limits.js';
import type { ObjectReader } from '../objects/object-reader.js';
import type { Opened } from '../objects/objects.js';
import { ifAnswerable, isNotHere, type Tiers } from '../tiers.js';
import { diff, diffNames } from './git-diff.js';
import { describeContents, Sizes } from './sizes.js';

interface Comparing {
  readonly opened: Opened;
  readonly reader: ObjectReader;
  readonly tiers: Tiers;
}

/** The files that differ between two states. Each tier gives the same answer as git would. */
export async function compareStates(
  { opened, reader, tiers }: Comparing,
  from: StateId,
  to: StateId,
  options: CompareOptions = {},
): Promise<FileChange[]> {
  if (from === to) return [];
  const { inProcess, continued, placeholders } = opened.objects;
  return tiers.first<FileChange[]>(
    'compare',
    [
      {
        name: 'continued',
        answer: async () => {
          const changes = await continued.compare(from, to);
          return isNotHere(changes) ? changes : [...changes];
        },
      },
      {
        name: 'in-process',
        answer: async () => {
          const changes = await inProcess.compare(from, to);
          if (isNotHere(changes)) return changes;
          const described = await describeContents(changes, new Sizes(reader), placeholders);
          continued.learn(from, to, described);
          return described;
        },
      },
    ],
    {
      name: 'git-diff',
      answer: async () => {
        const { signal, onFirst } = options;
        const sizes = new Sizes(reader);
        const first = onFirst && (await ifAnswerable(inProcess.uncounted(from, to)));
        const isShown = first !== undefined && first.length >= FIRST_FILES;
        if (isShown) onFirst?.(first.slice(0, FIRST_FILES));
        const changes = await gitDiff(opened, from, to, {
          signal,
          onContents: (ids) => sizes.ask(ids),
          ...(onFirst && !isShown && { onFirst }),
        });
        await yieldTurn(); // with thousands of files each step takes a while
        const described = await describeContents(changes, sizes, placeholders);
        await yieldTurn();
        inProcess.learn(from, described);
        continued.learn(from, to, described);
        await yieldTurn();
        return described;
      },
    },
    options.signal,
  );
}

/** If a content is lost, as after a repository was removed, git fails, but the other files can be shown. */
async function gitDiff(
  { shadow, objects }: Opened,
  from: StateId,
  to: StateId,
  options: Parameters<typeof diff>[3],
): Promise<FileChange[]> {
  try {
    return await diff(shadow, from, to, options);
  } catch (error) {
    if (!(error instanceof GitRefusal)) throw error; // a git that was stopped says nothing of the contents
    const changes = await diffNames(shadow, from, to);
    return Promise.all(
      changes.map(async (change) => ({ ...change, ...(await objects.inProcess.countContents(change)) })),
    );
  }
}

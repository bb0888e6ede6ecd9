import type { URI } from '@moorage/protocol';
import type { FileChange, FileVersion, StateId, Workspace } from '../../../ports/workspace.js';
import type { RecordedChange, RecordedStep } from '../records.js';
import { pathOf } from '../words.js';
import { attribute, type Reported } from './attribute.js';
import { type Folded, fold, type Step, type Texts } from './fold.js';
import type { FolderLog, FolderState, LoggedReport } from './folder-log.js';
import type { Authorship } from './weave.js';

/** A turn, and the states of its folder from its begin to the moment that its changes are wanted for. */
export interface TurnScene {
  readonly key: string;
  readonly workspace: Workspace;
  readonly log: FolderLog;
  readonly states: readonly FolderState[];
}

export interface OwnChangesOptions {
  textsOf(workspace: Workspace): Texts;
  /** A content that an agent has stored; undefined if there is none. */
  contentAt(uri: URI): Uint8Array | undefined;
  /** The id of a turn as clients know it, by its key. */
  nameOf(key: string): string;
}

/** What a turn made of the changes between the first look and the last, without what others changed meanwhile. */
export async function ownChanges(
  scene: TurnScene,
  changes: readonly FileChange[],
  options: OwnChangesOptions,
): Promise<RecordedChange[]> {
  const { key, log, states, workspace } = scene;
  const [begin, end] = [states[0], states.at(-1)];
  if (!begin || !end) return [...changes];
  const isAlone = (path: string | undefined) => path === undefined || log.isOnlyFrom(key, path, begin);
  const [alone, mixed]: [FileChange[], FileChange[]] = [[], []];
  for (const change of changes) {
    const { before, after } = change;
    (isAlone(before?.path) && isAlone(after?.path) ? alone : mixed).push(change);
  }
  if (mixed.length === 0) return alone; // the same objects, which ChangesetChannel recognizes
  const texts = options.textsOf(workspace);
  const whole: FileChange[] = [];
  const parts: { path: string; folded: Folded; steps: Step[] }[] = [];
  for (const change of mixed) {
    const sides = byPath(change);
    const found = await Promise.all(sides.map((side) => stepsAt(scene, side, texts, options)));
    const all = found.flat();
    if (all.every(({ by, sharedWith }) => by.includes(key) && !sharedWith)) {
      whole.push(change);
      continue;
    }
    for (const [index, { path }] of sides.entries()) {
      const steps = found[index] ?? [];
      const folded = await fold(path, steps, (author) => author === key, texts);
      if (folded) parts.push({ path, folded, steps: steps.filter(({ by }) => by.includes(key)) });
    }
  }
  const partly = parts.length > 0 ? await compared(workspace, parts, options) : [];
  return [...alone, ...whole, ...partly].sort((a, b) => Buffer.compare(Buffer.from(pathOf(a)), Buffer.from(pathOf(b))));
}

interface Side {
  readonly path: string;
  readonly before: FileVersion | undefined;
  readonly after: FileVersion | undefined;
}

/** A file that moved counts as one that went and one that came. */
function byPath({ before, after }: FileChange): Side[] {
  if (before && after && before.path !== after.path)
    return [
      { path: before.path, before, after: undefined },
      { path: after.path, before: undefined, after },
    ];
  return [{ path: after?.path ?? before?.path ?? '', before, after }];
}

/** Everything that happened to a path from the first look to the last, with authors. */
async function stepsAt(
  { log, states, workspace }: TurnScene,
  { path, before, after }: Side,
  texts: Texts,
  options: OwnChangesOptions,
): Promise<Step[]> {
  const [first, last] = [states[0], states.at(-1)];
  const versions = new Map<StateId | undefined, Promise<FileVersion | undefined>>();
  versions.set(last?.state, Promise.resolve(after)).set(first?.state, Promise.resolve(before));
  const versionIn = (state: StateId) => {
    const version = versions.get(state) ?? workspace.find(state, path);
    versions.set(state, version);
    return version;
  };
  const seen = await Promise.all(
    states.map(async ({ state, startedAt, endedAt }) => ({ version: await versionIn(state), startedAt, endedAt })),
  );
  const logged = first ? log.reportsOf(path, first) : [];
  const reports = await Promise.all(logged.map((report) => read(report, path, workspace, options)));
  const whoElse = (from: number, to: number, doubted: readonly string[]): Authorship => {
    const makers = [...new Set([...log.whoTouched(path, from, to), ...doubted])];
    const by = [...new Set(makers.flatMap((maker) => [maker, ...log.above(maker)]))];
    return { by, ...(makers.length > 1 && { sharedWith: makers }) };
  };
  return attribute(seen, reports, whoElse, texts);
}

/** A report with its contents in the folder's store. */
async function read(
  { from, to, ...report }: LoggedReport,
  path: string,
  workspace: Workspace,
  { contentAt }: OwnChangesOptions,
): Promise<Reported> {
  const version = async (side: FileVersion | URI | undefined): Promise<FileVersion | undefined | 'unknown'> => {
    if (typeof side !== 'string') return side;
    const content = contentAt(side);
    return content
      ? { path, contentId: await workspace.add(content), mode: '100644', size: content.length }
      : 'unknown';
  };
  const [before, after] = [await version(from), await version(to)];
  if (before === 'unknown' || after === 'unknown')
    return { ...report, isUnknown: true, before: undefined, after: undefined };
  return { ...report, before, after };
}

/** The changes as clients see them, with their counts, from what was found out path by path. */
async function compared(
  workspace: Workspace,
  parts: readonly { path: string; folded: Folded; steps: readonly Step[] }[],
  { nameOf }: OwnChangesOptions,
): Promise<RecordedChange[]> {
  const older = await workspace.compose(parts.flatMap(({ folded }) => folded.before ?? []));
  const newer = await workspace.compose(parts.flatMap(({ folded }) => folded.after ?? []));
  const known = new Map(parts.map((part) => [part.path, part]));
  return (await workspace.compare(older, newer)).map((change) => {
    const paths = new Set([change.before?.path ?? '', change.after?.path ?? '']);
    const found = [...paths].flatMap((path) => known.get(path) ?? []);
    const steps = found.flatMap((part) => part.steps.map((step) => recorded(step, nameOf)));
    const shared = noteShared(
      found.map(({ folded }) => folded),
      nameOf,
    );
    return { ...change, ...shared, at: Math.max(...steps.map((step) => step.at)), steps };
  });
}

/** What clients are told about hunks that others may have made. */
export function noteShared(
  folded: readonly Folded[],
  nameOf: (author: string) => string,
): Pick<FileChange, 'sharedWith' | 'sharedHunks'> {
  const sharedWith = [...new Set(folded.flatMap((one) => one.sharedWith).map(nameOf))];
  const sharedHunks = folded.flatMap((one) =>
    one.sharedHunks.map((hunk) => ({ ...hunk, sharedWith: hunk.sharedWith.map(nameOf) })),
  );
  return {
    ...(sharedWith.length > 0 && { sharedWith }),
    ...(sharedHunks.length > 0 && { sharedHunks }),
  };
}

function recorded({ at, before, after, sharedWith }: Step, nameOf: (key: string) => string): RecordedStep {
  return {
    at,
    ...(before && { before }),
    ...(after && { after }),
    ...(sharedWith && { sharedWith: sharedWith.map(nameOf) }),
  };
}

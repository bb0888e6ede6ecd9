import type { ChangesetSelector, ChangesetState, URI } from '@moorage/protocol';
import type { FileChange, FileVersion, NotKept } from '../../ports/workspace.js';
import { toChangesetFile } from './files.js';
import { countedLines } from './line-counts.js';
import { chain, type RecordedChange, type TurnRecord } from './records.js';
import { inFirstFolder } from './session-folders.js';

/** What is known of a session whose host is not there. */
export interface KeptRecords {
  /** A document of `changes`, by its key. */
  readonly record: (key: string) => Promise<string | undefined>;
  /** A content, by its id. */
  readonly content: (id: string) => Promise<Uint8Array | NotKept | undefined>;
}

/** In the URIs of contents, in place of a workspace: ids of contents are enough where nothing else is kept. */
const KEPT = 'kept';

/** Bytes of both sides together up to which lines are counted. */
const MAX_COUNTED_BYTES = 1024 * 1024;

/**
 * What turns changed in the first folder of a session, from their records alone. Of several turns, each file is shown as the
 * first found it and as the last left it: what others did to it in between is not told apart. Undefined for other changesets.
 */
export async function keptChanges(
  session: URI,
  folder: URI,
  selector: ChangesetSelector,
  kept: KeptRecords,
): Promise<ChangesetState | undefined> {
  const { key } = inFirstFolder(session);
  const turn = async (id: string) => parsed<TurnRecord>(await kept.record(`${key} ${id}`));
  const shown = (changes: readonly FileChange[]): ChangesetState => ({
    status: 'ready',
    files: changes.map((change) => toChangesetFile(folder, KEPT, change)),
  });
  if (selector.kind === 'turn') return shown((await turn(selector.turnId))?.end?.files ?? []);
  if (selector.kind !== 'session' && selector.kind !== 'chat') return undefined;
  const chat = selector.kind === 'chat' ? selector.chat : undefined;
  const { turns = [] } = parsed<{ turns?: readonly string[] }>(await kept.record(key)) ?? {};
  const records: (readonly RecordedChange[])[] = [];
  for (const id of turns) {
    const record = await turn(id);
    if (record?.end && (chat === undefined || record.chat === chat)) records.push(record.end.files);
  }
  const { before, after } = chain(records);
  const paths = new Set([...before, ...after].map(({ path }) => path));
  const changes: FileChange[] = [];
  for (const path of [...paths].sort()) {
    const [old, now] = [before, after].map((side) => side.find((version) => version.path === path));
    if (old?.contentId !== now?.contentId || old?.mode !== now?.mode) changes.push(await counted(old, now, kept));
  }
  return shown(changes);
}

async function counted(
  before: FileVersion | undefined,
  after: FileVersion | undefined,
  { content }: KeptRecords,
): Promise<FileChange> {
  const sides = await Promise.all([before, after].map((side) => (side ? content(side.contentId) : new Uint8Array())));
  const [old, now] = sides;
  const isKept = old instanceof Uint8Array && now instanceof Uint8Array;
  const counts = isKept && old.length + now.length <= MAX_COUNTED_BYTES ? countedLines(old, now) : undefined;
  return { ...(before && { before }), ...(after && { after }), ...counts };
}

function parsed<T>(json: string | undefined): T | undefined {
  return json === undefined ? undefined : (JSON.parse(json) as T);
}

import { basename } from 'node:path';
import {
  type ChangesetFile,
  type CompareSessionsParams,
  type CompareSessionsResult,
  changesetUri,
  type FileEdit,
  fileUriIn,
  type URI,
} from '@moorage/protocol';
import { invalidParams, sessionNotFound } from '../../core/errors.js';
import { FolderError } from '../../ports/folders.js';
import type { FileVersion, Workspaces } from '../../ports/workspace.js';
import type { ChangesetService } from './changeset-service.js';
import { fileVersionUri } from './files.js';
import { MAX_COMPARED_BYTES, MAX_COMPARED_FILES } from './limits.js';
import { countedLines } from './line-counts.js';
import type { FolderSubject } from './subject.js';
import { isSameVersion } from './three-way.js';

/** A file as a session left it, and where its content is kept. */
interface LeftFile {
  readonly version: FileVersion;
  readonly workspace: string;
}

/** What a session made of each path: before its first change, and after its last. */
type Changes = ReadonlyMap<string, { readonly before?: LeftFile | undefined; readonly after?: LeftFile | undefined }>;

/** Compares what two sessions made of the same files, wherever each of them works. */
export class SessionComparison {
  readonly #changesets: ChangesetService;
  readonly #workspaces: Workspaces;

  constructor(changesets: ChangesetService, workspaces: Workspaces) {
    this.#changesets = changesets;
    this.#workspaces = workspaces;
  }

  async of({ channel, other }: CompareSessionsParams): Promise<CompareSessionsResult> {
    if (channel === other) throw invalidParams('params/other: expected another session');
    const [one, two] = [this.#folders(channel), this.#folders(other)];
    const pairs = one.flatMap((folder, index) => {
      const partner = index === 0 ? two[0] : two.slice(1).find((it) => basename(it.folder) === basename(folder.folder));
      return partner ? [[folder, partner] as const] : [];
    });
    const files: ChangesetFile[] = [];
    let left = 0;
    for (const [mine, theirs] of pairs) {
      const differences = differencesOf(await changesIn(mine), await changesIn(theirs));
      for (const { path, before, after } of differences) {
        if (files.length < MAX_COMPARED_FILES) files.push(await this.#file(mine, theirs, path, before, after));
        else left++;
      }
    }
    return { files, left };
  }

  #folders(session: URI): FolderSubject[] {
    try {
      const subject = this.#changesets.subject(changesetUri(session, { kind: 'session' }));
      if (!subject) throw sessionNotFound(session);
      return subject.folders();
    } catch (error) {
      throw error instanceof FolderError ? invalidParams(`${session}: ${error.message}`) : error;
    }
  }

  async #file(
    mine: FolderSubject,
    theirs: FolderSubject,
    path: string,
    before: LeftFile | undefined,
    after: LeftFile | undefined,
  ): Promise<ChangesetFile> {
    const side = (folder: URI, { version, workspace }: LeftFile): NonNullable<FileEdit['after']> => ({
      uri: fileUriIn(folder, path),
      content: {
        uri: fileVersionUri(workspace, version.contentId, fileUriIn(folder, path)),
        ...(version.size !== undefined && { sizeHint: version.size }),
      },
    });
    const [old, now] = [await this.#text(before), await this.#text(after)];
    const diff = old && now && countedLines(old, now);
    return {
      id: fileUriIn(theirs.folderUri, path),
      edit: {
        ...(before && { before: side(mine.folderUri, before) }),
        ...(after && { after: side(theirs.folderUri, after) }),
        ...(diff && { diff }),
      },
    };
  }

  /** Empty if there is no file; undefined if it is large, or its content is not kept. */
  async #text(file: LeftFile | undefined): Promise<Uint8Array | undefined> {
    if (!file) return new Uint8Array();
    const content = await this.#workspaces.read(file.workspace, file.version.contentId);
    return content instanceof Uint8Array && content.length <= MAX_COMPARED_BYTES ? content : undefined;
  }
}

async function changesIn({ workspace, changes }: FolderSubject): Promise<Changes> {
  const found = new Map<string, { before?: LeftFile | undefined; after?: LeftFile | undefined }>();
  const file = (version: FileVersion): LeftFile => ({ version, workspace: workspace.id });
  for (const { before, after } of await changes()) {
    // A file that moved is gone at one path and new at another.
    if (before) found.set(before.path, { ...found.get(before.path), before: file(before) });
    if (after) found.set(after.path, { ...found.get(after.path), after: file(after) });
  }
  return found;
}

/** What one session did not touch, it has as the other one found it. */
function differencesOf(mine: Changes, theirs: Changes) {
  const paths = [...new Set([...mine.keys(), ...theirs.keys()])].sort();
  return paths.flatMap((path) => {
    const [own, other] = [mine.get(path), theirs.get(path)];
    const before = own ? own.after : other?.before;
    const after = other ? other.after : own?.before;
    return isSameVersion(before?.version, after?.version) ? [] : [{ path, before, after }];
  });
}

import { type ChangesetFile, ExtensionMeta, type FileEdit, fileUriIn, type URI } from '@moorage/protocol';
import { EXECUTABLE, SUBMODULE, SYMLINK } from '../../ports/file-modes.js';
import type { FileChange, FileVersion } from '../../ports/workspace.js';
import { contentUris } from '../content/content-uri.js';
import type { FileNotes, ShownChange } from './notes.js';

/** The id names the workspace and the content in it. */
const versionUris = contentUris('ahp-file-version', (path) =>
  /^([^/]+)\/([^/]+)$/.test(path) ? path.replace('/', '.') : undefined,
);

/** The id of a file in a changeset: its present URI, or its former one if it was deleted (B-258). */
export function changesetFileId(folder: URI, { before, after }: FileChange): string {
  return fileUriIn(folder, after?.path ?? before?.path ?? '');
}

/** Converts a change to the form in which clients see it. */
export function toChangesetFile(folder: URI, workspaceId: string, change: ShownChange): ChangesetFile {
  const side = (version: FileVersion): NonNullable<FileEdit['after']> => ({
    uri: fileUriIn(folder, version.path),
    content: {
      uri: fileVersionUri(workspaceId, version.contentId, fileUriIn(folder, version.path)),
      ...(version.size !== undefined && { sizeHint: version.size }),
    },
  });
  const { before, after, added, removed } = change;
  const edit: FileEdit = {
    ...(before && { before: side(before) }),
    ...(after && { after: side(after) }),
    ...(added !== undefined && { diff: { added, removed } }),
  };
  const { reviewed, ...others } = change.notes ?? {};
  const notes = { ...notesOn(change), ...others };
  return {
    id: changesetFileId(folder, change),
    edit,
    ...(reviewed && { reviewed }),
    ...(Object.keys(notes).length > 0 && { _meta: toMeta(notes) }),
  };
}

/** The same for a change that no state of the folder has: paths and content ids are URIs there. */
export function elsewhereFile({ before, after, added, removed, notes = {} }: ShownChange): ChangesetFile {
  const side = ({ path: uri, contentId, size }: FileVersion): NonNullable<FileEdit['after']> => ({
    uri,
    content: { uri: contentId, ...(size !== undefined && { sizeHint: size }) },
  });
  const { reviewed: _, ...others } = notes;
  return {
    id: after?.path ?? before?.path ?? '',
    edit: {
      ...(before && { before: side(before) }),
      ...(after && { after: side(after) }),
      ...(added !== undefined && { diff: { added, removed } }),
    },
    _meta: toMeta(others),
  };
}

/** The URI under which clients read a content that a workspace keeps. */
export function fileVersionUri(workspaceId: string, contentId: string, file: URI): URI {
  return versionUris.format(`${workspaceId}.${contentId}`, file);
}

/** What such a URI names; undefined for any other URI. */
export function parseFileVersionUri(uri: URI): { workspaceId: string; contentId: string } | undefined {
  const [workspaceId = '', contentId = '', ...rest] = versionUris.parse(uri)?.split('.') ?? [];
  return workspaceId && contentId && rest.length === 0 ? { workspaceId, contentId } : undefined;
}

function toMeta(notes: FileNotes): Record<string, unknown> {
  return Object.fromEntries(Object.entries(notes).map(([name, note]) => [ExtensionMeta[name as ExtensionMeta], note]));
}

/** What a client should know about a file besides its lines. */
function notesOn(change: FileChange): FileNotes | undefined {
  const { before, after, added, sharedWith, sharedHunks, changedBetween, uncounted, notFiltered } = change;
  const modes = [before?.mode, after?.mode];
  const isSubmodule = modes.includes(SUBMODULE);
  const reasons = [before?.notKept?.reason, after?.notKept?.reason];
  const isTooLarge = uncounted || reasons.includes('tooLarge') || reasons.includes('storeFull');
  const isText =
    added !== undefined ||
    notFiltered !== undefined ||
    isSubmodule ||
    isTooLarge ||
    reasons.some((reason) => reason !== undefined);
  const notes = {
    ...(isSubmodule && { submodule: true }),
    ...(modes.includes(SYMLINK) && { symlink: true }),
    ...(!isText && { binary: true }),
    ...(isTooLarge && { tooLarge: true }),
    ...(reasons.includes('storeFull') && { storeFull: true }),
    ...(reasons.includes('unreadable') && { unreadable: true }),
    ...(reasons.includes('lost') && { contentLost: true }),
    ...(changedBetween && { changedBetween }),
    ...(notFiltered !== undefined && { notFiltered }),
    ...(after?.mode === EXECUTABLE && { executable: true }),
    ...(sharedWith && { sharedWith }),
    ...(sharedHunks && { sharedHunks }),
    ...(before && after && before.mode !== after.mode && { mode: { before: before.mode, after: after.mode } }),
  };
  return Object.keys(notes).length > 0 ? notes : undefined;
}

import { rootParamsMembers } from '../../common/base-params.js';
import {
  type PaginatedParams,
  PaginatedParamsSchema,
  type PaginatedResult,
  PaginatedResultSchema,
} from '../../common/pagination.js';
import { enumSchema, object, optional } from '../../common/schema.js';
import { type Static, Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';

// Our extension: what operations did to a folder, over all changesets and sessions, and undoing any of it.

export const UndoneStateSchema = enumSchema('UndoneState', { none: 'none', partly: 'partly', all: 'all' });
export type UndoneState = Static<typeof UndoneStateSchema>;

export interface HistoryLines {
  /** Counted from 0. */
  start: number;
  /** How many lines. */
  count: number;
}

const HistoryLinesSchema = object<HistoryLines>('HistoryLines', {
  start: Type.Integer(),
  count: Type.Integer(),
});

export interface HistoryHunk {
  /** The lines before the step. */
  before: HistoryLines;
  /** The lines after it. */
  after: HistoryLines;
  /** Whether it is undone now. */
  undone: boolean;
}

export const HistoryHunkSchema = object<HistoryHunk>('HistoryHunk', {
  before: HistoryLinesSchema,
  after: HistoryLinesSchema,
  undone: Type.Boolean(),
});

export interface HistoryFile {
  /** Relative to the folder. */
  path: string;
  /** The contents before and after the step, for `resourceRead`. Absent: there was no file, or it stayed as it was. */
  before?: URI | undefined;
  /** Its content after the step; without it, the step deleted it. */
  after?: URI | undefined;
  /** The same for git's index. */
  stagedBefore?: URI | undefined;
  /** What was staged of it after the step. */
  stagedAfter?: URI | undefined;
  /** Whether all, some or nothing of it is undone. */
  undone: UndoneState;
  /** Only in answers about one file, if it is text. */
  hunks?: HistoryHunk[] | undefined;
}

export const HistoryFileSchema = object<HistoryFile>('HistoryFile', {
  path: Type.String(),
  before: optional(URISchema),
  after: optional(URISchema),
  stagedBefore: optional(URISchema),
  stagedAfter: optional(URISchema),
  undone: UndoneStateSchema,
  hunks: optional(Type.Array(HistoryHunkSchema)),
});

export interface HistoryStep {
  /** What requests name it by. */
  id: string;
  /** Epoch milliseconds; absent for steps from before there was a history. */
  at?: number | undefined;
  /** The id of the operation, such as `revert`. */
  operation: string;
  /** What it did, for people: "the revert of a.txt". */
  label: string;
  /** Where it was asked for. The session may be gone. */
  session?: URI | undefined;
  /** The session it was done in. */
  sessionTitle?: string | undefined;
  /** The id and the program of the client that asked for it. */
  client?: string | undefined;
  /** The program it was done with. */
  program?: string | undefined;
  /** The name of the person who did it; absent for the owner. */
  person?: string | undefined;
  /** The step that this one undoes. */
  undoes?: string | undefined;
  /** Whether all, some or nothing of it is undone. */
  undone: UndoneState;
  /** How many files it changed. */
  fileCount: number;
  /** The first files; `moorage/listHistoryFiles` has all. */
  files: HistoryFile[];
}

export const HistoryStepSchema = object<HistoryStep>('HistoryStep', {
  id: Type.String(),
  at: optional(Type.Integer()),
  operation: Type.String(),
  label: Type.String(),
  session: optional(URISchema),
  sessionTitle: optional(Type.String()),
  client: optional(Type.String()),
  program: optional(Type.String()),
  person: optional(Type.String()),
  undoes: optional(Type.String()),
  undone: UndoneStateSchema,
  fileCount: Type.Integer(),
  files: Type.Array(HistoryFileSchema),
});

export interface ListHistoryParams extends PaginatedParams {
  channel: 'ahp-root://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  /** The `file:` URI of the folder. */
  folder: URI;
}

export const ListHistoryParamsSchema = object<ListHistoryParams>('ListHistoryParams', {
  ...rootParamsMembers,
  ...PaginatedParamsSchema.properties,
  folder: URISchema,
});

export interface ListHistoryResult extends PaginatedResult {
  /** What was done, newest first. */
  items: HistoryStep[];
}

export const ListHistoryResultSchema = object<ListHistoryResult>('ListHistoryResult', {
  ...PaginatedResultSchema.properties,
  items: Type.Array(HistoryStepSchema),
});

export interface ListHistoryFilesParams extends PaginatedParams {
  channel: 'ahp-root://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  /** The `file:` URI of the folder. */
  folder: URI;
  /** The step, by its id. */
  step: string;
  /** Only this file, with its hunks. */
  path?: string | undefined;
}

export const ListHistoryFilesParamsSchema = object<ListHistoryFilesParams>('ListHistoryFilesParams', {
  ...rootParamsMembers,
  ...PaginatedParamsSchema.properties,
  folder: URISchema,
  step: Type.String(),
  path: optional(Type.String()),
});

export interface ListHistoryFilesResult extends PaginatedResult {
  /** The files that it changed. */
  items: HistoryFile[];
}

export const ListHistoryFilesResultSchema = object<ListHistoryFilesResult>('ListHistoryFilesResult', {
  ...PaginatedResultSchema.properties,
  items: Type.Array(HistoryFileSchema),
});

export interface UndoHistoryStepParams {
  channel: 'ahp-root://';
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
  /** The `file:` URI of the folder. */
  folder: URI;
  /** Without one, the newest step that can be undone (or redone). */
  step?: string | undefined;
  /** Only this file. */
  path?: string | undefined;
  /** Only these hunks of the file, by their place in `HistoryFile.hunks`. */
  hunks?: number[] | undefined;
}

export const UndoHistoryStepParamsSchema = object<UndoHistoryStepParams>('UndoHistoryStepParams', {
  ...rootParamsMembers,
  folder: URISchema,
  step: optional(Type.String()),
  path: optional(Type.String()),
  hunks: optional(Type.Array(Type.Integer())),
});

export interface UndoHistoryStepResult {
  /** What was done, for people. */
  message: string;
  /** The id of the new step. */
  step: string;
  /** What was not undone, and what stands in its way, for people. */
  left: string[];
}

export const UndoHistoryStepResultSchema = object<UndoHistoryStepResult>('UndoHistoryStepResult', {
  message: Type.String(),
  step: Type.String(),
  left: Type.Array(Type.String()),
});

export interface SuggestCommitMessageParams {
  /** The changeset to commit. */
  channel: URI;
}

export const SuggestCommitMessageParamsSchema = object<SuggestCommitMessageParams>('SuggestCommitMessageParams', {
  channel: URISchema,
});

export interface SuggestCommitMessageResult {
  /** A message for the commit. */
  message: string;
}

export const SuggestCommitMessageResultSchema = object<SuggestCommitMessageResult>('SuggestCommitMessageResult', {
  message: Type.String(),
});

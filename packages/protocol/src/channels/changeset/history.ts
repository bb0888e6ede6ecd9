import Type, { type Static } from 'typebox';
import { rootParamsMembers } from '../../common/base-params.js';
import { PaginatedParamsSchema, PaginatedResultSchema } from '../../common/pagination.js';
import { enumSchema, named, optional } from '../../common/schema.js';
import { URISchema } from '../../common/uri.js';

// Our extension: what operations did to a folder, over all changesets and sessions, and undoing any of it.

export const UndoneStateSchema = enumSchema('UndoneState', { none: 'none', partly: 'partly', all: 'all' });
export type UndoneState = Static<typeof UndoneStateSchema>;

const HistoryLinesSchema = named(
  'HistoryLines',
  Type.Object({
    /** Counted from 0. */
    start: Type.Integer(),
    count: Type.Integer(),
  }),
);

export const HistoryHunkSchema = named(
  'HistoryHunk',
  Type.Object({
    before: HistoryLinesSchema,
    after: HistoryLinesSchema,
    undone: Type.Boolean(),
  }),
);
export type HistoryHunk = Static<typeof HistoryHunkSchema>;

export const HistoryFileSchema = named(
  'HistoryFile',
  Type.Object({
    /** Relative to the folder. */
    path: Type.String(),
    /** The contents before and after the step, for `resourceRead`. Absent: there was no file, or it stayed as it was. */
    before: optional(URISchema),
    after: optional(URISchema),
    /** The same for git's index. */
    stagedBefore: optional(URISchema),
    stagedAfter: optional(URISchema),
    undone: UndoneStateSchema,
    /** Only in answers about one file, if it is text. */
    hunks: optional(Type.Array(HistoryHunkSchema)),
  }),
);
export type HistoryFile = Static<typeof HistoryFileSchema>;

export const HistoryStepSchema = named(
  'HistoryStep',
  Type.Object({
    id: Type.String(),
    /** Epoch milliseconds; absent for steps from before there was a history. */
    at: optional(Type.Integer()),
    /** The id of the operation, such as `revert`. */
    operation: Type.String(),
    /** What it did, for people: "the revert of a.txt". */
    label: Type.String(),
    /** Where it was asked for. The session may be gone. */
    session: optional(URISchema),
    sessionTitle: optional(Type.String()),
    /** The id and the program of the client that asked for it. */
    client: optional(Type.String()),
    program: optional(Type.String()),
    /** The step that this one undoes. */
    undoes: optional(Type.String()),
    undone: UndoneStateSchema,
    fileCount: Type.Integer(),
    /** The first files; `moorage/listHistoryFiles` has all. */
    files: Type.Array(HistoryFileSchema),
  }),
);
export type HistoryStep = Static<typeof HistoryStepSchema>;

export const ListHistoryParamsSchema = named(
  'ListHistoryParams',
  Type.Object({ ...rootParamsMembers, ...PaginatedParamsSchema.properties, folder: URISchema }),
);
export type ListHistoryParams = Static<typeof ListHistoryParamsSchema>;

export const ListHistoryResultSchema = named(
  'ListHistoryResult',
  Type.Object({ ...PaginatedResultSchema.properties, items: Type.Array(HistoryStepSchema) }),
);
export type ListHistoryResult = Static<typeof ListHistoryResultSchema>;

export const ListHistoryFilesParamsSchema = named(
  'ListHistoryFilesParams',
  Type.Object({
    ...rootParamsMembers,
    ...PaginatedParamsSchema.properties,
    folder: URISchema,
    step: Type.String(),
    /** Only this file, with its hunks. */
    path: optional(Type.String()),
  }),
);
export type ListHistoryFilesParams = Static<typeof ListHistoryFilesParamsSchema>;

export const ListHistoryFilesResultSchema = named(
  'ListHistoryFilesResult',
  Type.Object({ ...PaginatedResultSchema.properties, items: Type.Array(HistoryFileSchema) }),
);
export type ListHistoryFilesResult = Static<typeof ListHistoryFilesResultSchema>;

export const UndoHistoryStepParamsSchema = named(
  'UndoHistoryStepParams',
  Type.Object({
    ...rootParamsMembers,
    folder: URISchema,
    /** Without one, the newest step that can be undone (or redone). */
    step: optional(Type.String()),
    /** Only this file. */
    path: optional(Type.String()),
    /** Only these hunks of the file, by their place in `HistoryFile.hunks`. */
    hunks: optional(Type.Array(Type.Integer())),
  }),
);
export type UndoHistoryStepParams = Static<typeof UndoHistoryStepParamsSchema>;

export const UndoHistoryStepResultSchema = named(
  'UndoHistoryStepResult',
  Type.Object({
    message: Type.String(),
    /** The id of the new step. */
    step: Type.String(),
    /** What was not undone, and what stands in its way, for people. */
    left: Type.Array(Type.String()),
  }),
);
export type UndoHistoryStepResult = Static<typeof UndoHistoryStepResultSchema>;

export const SuggestCommitMessageParamsSchema = named(
  'SuggestCommitMessageParams',
  Type.Object({
    /** The changeset to commit. */
    channel: URISchema,
  }),
);
export type SuggestCommitMessageParams = Static<typeof SuggestCommitMessageParamsSchema>;

export const SuggestCommitMessageResultSchema = named(
  'SuggestCommitMessageResult',
  Type.Object({ message: Type.String() }),
);
export type SuggestCommitMessageResult = Static<typeof SuggestCommitMessageResultSchema>;

import type { Static } from 'typebox';
import { ErrorInfoSchema } from '../../common/error-info.js';
import { named, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import {
  ChangesetFileSchema,
  ChangesetOperationSchema,
  ChangesetOperationStatusSchema,
  ChangesetStatusSchema,
} from './state.js';

export const ChangesetClearedActionSchema = named(
  'ChangesetClearedAction',
  Type.Object({
    type: Type.Literal('changeset/cleared'),
  }),
);
export type ChangesetClearedAction = Static<typeof ChangesetClearedActionSchema>;

export const ChangesetContentChangedActionSchema = named(
  'ChangesetContentChangedAction',
  Type.Object({
    type: Type.Literal('changeset/contentChanged'),
    files: Type.Array(ChangesetFileSchema),
    operations: optional(Type.Array(ChangesetOperationSchema)),
  }),
);
export type ChangesetContentChangedAction = Static<typeof ChangesetContentChangedActionSchema>;

export const ChangesetFileRemovedActionSchema = named(
  'ChangesetFileRemovedAction',
  Type.Object({
    type: Type.Literal('changeset/fileRemoved'),
    fileId: Type.String(),
  }),
);
export type ChangesetFileRemovedAction = Static<typeof ChangesetFileRemovedActionSchema>;

export const ChangesetFileSetActionSchema = named(
  'ChangesetFileSetAction',
  Type.Object({
    type: Type.Literal('changeset/fileSet'),
    file: ChangesetFileSchema,
  }),
);
export type ChangesetFileSetAction = Static<typeof ChangesetFileSetActionSchema>;

export const ChangesetFilesReviewChangedActionSchema = named(
  'ChangesetFilesReviewChangedAction',
  Type.Object({
    type: Type.Literal('changeset/filesReviewChanged'),
    /** The ids of the files. */
    files: Type.Array(Type.String()),
    reviewed: Type.Boolean(),
  }),
);
export type ChangesetFilesReviewChangedAction = Static<typeof ChangesetFilesReviewChangedActionSchema>;

export const ChangesetOperationStatusChangedActionSchema = named(
  'ChangesetOperationStatusChangedAction',
  Type.Object({
    type: Type.Literal('changeset/operationStatusChanged'),
    operationId: Type.String(),
    status: ChangesetOperationStatusSchema,
    error: optional(ErrorInfoSchema),
  }),
);
export type ChangesetOperationStatusChangedAction = Static<typeof ChangesetOperationStatusChangedActionSchema>;

export const ChangesetOperationsChangedActionSchema = named(
  'ChangesetOperationsChangedAction',
  Type.Object({
    type: Type.Literal('changeset/operationsChanged'),
    operations: optional(Type.Array(ChangesetOperationSchema)),
  }),
);
export type ChangesetOperationsChangedAction = Static<typeof ChangesetOperationsChangedActionSchema>;

export const ChangesetStatusChangedActionSchema = named(
  'ChangesetStatusChangedAction',
  Type.Object({
    type: Type.Literal('changeset/statusChanged'),
    status: ChangesetStatusSchema,
    error: optional(ErrorInfoSchema),
  }),
);
export type ChangesetStatusChangedAction = Static<typeof ChangesetStatusChangedActionSchema>;

/** The last action of a changeset whose URI stops being subscribable; the guide has it, the types do not. */
export const ChangesetDisposedActionSchema = named(
  'ChangesetDisposedAction',
  Type.Object({
    type: Type.Literal('changeset/disposed'),
  }),
);
export type ChangesetDisposedAction = Static<typeof ChangesetDisposedActionSchema>;

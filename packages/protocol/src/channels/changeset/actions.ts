import { type ErrorInfo, ErrorInfoSchema } from '../../common/error-info.js';
import { object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import {
  type ChangesetFile,
  ChangesetFileSchema,
  type ChangesetOperation,
  ChangesetOperationSchema,
  type ChangesetOperationStatus,
  ChangesetOperationStatusSchema,
  type ChangesetStatus,
  ChangesetStatusSchema,
} from './state.js';

export interface ChangesetClearedAction {
  type: 'changeset/cleared';
}

export const ChangesetClearedActionSchema = object<ChangesetClearedAction>('ChangesetClearedAction', {
  type: Type.Literal('changeset/cleared'),
});

export interface ChangesetContentChangedAction {
  type: 'changeset/contentChanged';
  /** All files, in place of those before. */
  files: ChangesetFile[];
  /** What can be done with them; without it, the same as before. */
  operations?: ChangesetOperation[] | undefined;
}

export const ChangesetContentChangedActionSchema = object<ChangesetContentChangedAction>(
  'ChangesetContentChangedAction',
  {
    type: Type.Literal('changeset/contentChanged'),
    files: Type.Array(ChangesetFileSchema),
    operations: optional(Type.Array(ChangesetOperationSchema)),
  },
);

export interface ChangesetFileRemovedAction {
  type: 'changeset/fileRemoved';
  /** The file that is not changed any more. */
  fileId: string;
}

export const ChangesetFileRemovedActionSchema = object<ChangesetFileRemovedAction>('ChangesetFileRemovedAction', {
  type: Type.Literal('changeset/fileRemoved'),
  fileId: Type.String(),
});

export interface ChangesetFileSetAction {
  type: 'changeset/fileSet';
  /** The file to add, or to replace the one with its id. */
  file: ChangesetFile;
}

export const ChangesetFileSetActionSchema = object<ChangesetFileSetAction>('ChangesetFileSetAction', {
  type: Type.Literal('changeset/fileSet'),
  file: ChangesetFileSchema,
});

export interface ChangesetFilesReviewChangedAction {
  type: 'changeset/filesReviewChanged';
  /** The ids of the files. */
  files: string[];
  /** Whether it counts as reviewed from now on. */
  reviewed: boolean;
}

export const ChangesetFilesReviewChangedActionSchema = object<ChangesetFilesReviewChangedAction>(
  'ChangesetFilesReviewChangedAction',
  {
    type: Type.Literal('changeset/filesReviewChanged'),
    files: Type.Array(Type.String()),
    reviewed: Type.Boolean(),
  },
);

export interface ChangesetOperationStatusChangedAction {
  type: 'changeset/operationStatusChanged';
  /** The id of an entry of the changeset's `operations`. */
  operationId: string;
  /** Whether it can be used now, or is at work. */
  status: ChangesetOperationStatus;
  /** Why it failed. */
  error?: ErrorInfo | undefined;
}

export const ChangesetOperationStatusChangedActionSchema = object<ChangesetOperationStatusChangedAction>(
  'ChangesetOperationStatusChangedAction',
  {
    type: Type.Literal('changeset/operationStatusChanged'),
    operationId: Type.String(),
    status: ChangesetOperationStatusSchema,
    error: optional(ErrorInfoSchema),
  },
);

export interface ChangesetOperationsChangedAction {
  type: 'changeset/operationsChanged';
  /** What can be done with the changes. */
  operations?: ChangesetOperation[] | undefined;
}

export const ChangesetOperationsChangedActionSchema = object<ChangesetOperationsChangedAction>(
  'ChangesetOperationsChangedAction',
  {
    type: Type.Literal('changeset/operationsChanged'),
    operations: optional(Type.Array(ChangesetOperationSchema)),
  },
);

export interface ChangesetStatusChangedAction {
  type: 'changeset/statusChanged';
  /** Whether all of it is there. */
  status: ChangesetStatus;
  /** Why it could not be computed. */
  error?: ErrorInfo | undefined;
}

export const ChangesetStatusChangedActionSchema = object<ChangesetStatusChangedAction>('ChangesetStatusChangedAction', {
  type: Type.Literal('changeset/statusChanged'),
  status: ChangesetStatusSchema,
  error: optional(ErrorInfoSchema),
});

/** The last action of a changeset whose URI stops being subscribable; the guide has it, the types do not. */
export interface ChangesetDisposedAction {
  type: 'changeset/disposed';
}

export const ChangesetDisposedActionSchema = object<ChangesetDisposedAction>('ChangesetDisposedAction', {
  type: Type.Literal('changeset/disposed'),
});

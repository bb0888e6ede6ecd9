import type { Static } from 'typebox';
import { FileEditSchema } from '../../common/content.js';
import { ErrorInfoSchema } from '../../common/error-info.js';
import { type EnumValue, enumSchema, freeForm, named, optional, presenceFlag } from '../../common/schema.js';
import { StringOrMarkdownSchema } from '../../common/text.js';
import { Type } from '../../common/type.js';

/** Whether the files of a changeset can be relied on yet. `recomputing`: they were complete, and are being refreshed. */
export const ChangesetStatus = {
  Computing: 'computing',
  Recomputing: 'recomputing',
  Ready: 'ready',
  Error: 'error',
} as const;
export type ChangesetStatus = EnumValue<typeof ChangesetStatus>;
export const ChangesetStatusSchema = enumSchema('ChangesetStatus', ChangesetStatus);

/** Whether an operation on a changeset can be invoked, runs or has failed. */
export const ChangesetOperationStatus = {
  Idle: 'idle',
  Running: 'running',
  Error: 'error',
  Disabled: 'disabled',
} as const;
export type ChangesetOperationStatus = EnumValue<typeof ChangesetOperationStatus>;
export const ChangesetOperationStatusSchema = enumSchema('ChangesetOperationStatus', ChangesetOperationStatus);

/** What an operation can be invoked on: the whole changeset, one file, or lines of one. */
export const ChangesetOperationScope = {
  Changeset: 'changeset',
  Resource: 'resource',
  Range: 'range',
} as const;
export type ChangesetOperationScope = EnumValue<typeof ChangesetOperationScope>;
export const ChangesetOperationScopeSchema = enumSchema('ChangesetOperationScope', ChangesetOperationScope);

export const ChangesetCapabilitiesSchema = named(
  'ChangesetCapabilities',
  Type.Object({
    review: optional(presenceFlag()),
  }),
);
/** What clients may do with a changeset besides reading it. `review`: mark its files as reviewed. */
export type ChangesetCapabilities = Static<typeof ChangesetCapabilitiesSchema>;

export const ChangesetSchema = named(
  'Changeset',
  Type.Object({
    label: Type.String(),
    uriTemplate: Type.String(),
    description: optional(Type.String()),
    changeKind: Type.String(),
    capabilities: optional(ChangesetCapabilitiesSchema),
    // Not in the types, but in the changeset guide: sent when known (D-4).
    additions: optional(Type.Integer()),
    deletions: optional(Type.Integer()),
    files: optional(Type.Integer()),
  }),
);
/** An entry in a session's catalogue of changesets; the template gives the channel to subscribe to. */
export type Changeset = Static<typeof ChangesetSchema>;

export const ChangesetFileSchema = named(
  'ChangesetFile',
  Type.Object({
    id: Type.String(),
    edit: FileEditSchema,
    reviewed: optional(Type.Boolean()),
    _meta: optional(freeForm()),
  }),
);
/** One changed file. */
export type ChangesetFile = Static<typeof ChangesetFileSchema>;

export const ChangesetOperationSchema = named(
  'ChangesetOperation',
  Type.Object({
    id: Type.String(),
    label: Type.String(),
    description: optional(Type.String()),
    scopes: Type.Array(ChangesetOperationScopeSchema),
    confirmation: optional(StringOrMarkdownSchema),
    icon: optional(Type.String()),
    group: optional(Type.String()),
    status: ChangesetOperationStatusSchema,
    error: optional(ErrorInfoSchema),
  }),
);
/** Something that a host can do with a changeset, such as to revert or to commit it. */
export type ChangesetOperation = Static<typeof ChangesetOperationSchema>;

export const ChangesetStateSchema = named(
  'ChangesetState',
  Type.Object({
    status: ChangesetStatusSchema,
    error: optional(ErrorInfoSchema),
    files: Type.Array(ChangesetFileSchema),
    operations: optional(Type.Array(ChangesetOperationSchema)),
  }),
);
/** The state of a changeset: files with their edits, and what can be done with them. */
export type ChangesetState = Static<typeof ChangesetStateSchema>;

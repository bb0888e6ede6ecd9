import { type FileEdit, FileEditSchema } from '../../common/content.js';
import { type ErrorInfo, ErrorInfoSchema } from '../../common/error-info.js';
import { type EnumValue, enumSchema, freeForm, object, optional, presenceFlag } from '../../common/schema.js';
import { type StringOrMarkdown, StringOrMarkdownSchema } from '../../common/text.js';
import { type AnyObject, Type } from '../../common/type.js';

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

/** What clients may do with a changeset besides reading it. `review`: mark its files as reviewed. */
export interface ChangesetCapabilities {
  /** Present if clients may mark files as reviewed. */
  review?: AnyObject | undefined;
}

export const ChangesetCapabilitiesSchema = object<ChangesetCapabilities>('ChangesetCapabilities', {
  review: optional(presenceFlag()),
});

/** An entry in a session's catalogue of changesets; the template gives the channel to subscribe to. */
export interface Changeset {
  /** What it is called in a list. */
  label: string;
  /** The URI of its channel (RFC 6570), with variables such as `{turnId}`. */
  uriTemplate: string;
  /** What it shows, in a sentence. */
  description?: string | undefined;
  /** Which changes it shows, such as `session`, `turn` or `uncommitted`. */
  changeKind: string;
  /** What clients may do with it besides looking. */
  capabilities?: ChangesetCapabilities | undefined;
  /** Lines added, if they were counted. */
  additions?: number | undefined;
  /** Lines removed, if they were counted. */
  deletions?: number | undefined;
  /** Files changed, if they were counted. */
  files?: number | undefined;
}

export const ChangesetSchema = object<Changeset>('Changeset', {
  label: Type.String(),
  uriTemplate: Type.String(),
  description: optional(Type.String()),
  changeKind: Type.String(),
  capabilities: optional(ChangesetCapabilitiesSchema),
  // Not in the types, but in the changeset guide: sent when known (D-4).
  additions: optional(Type.Integer()),
  deletions: optional(Type.Integer()),
  files: optional(Type.Integer()),
});

/** One changed file. */
export interface ChangesetFile {
  /** Names the file in actions; stable while the changeset is open. */
  id: string;
  /** The file before and after. */
  edit: FileEdit;
  /** Whether somebody has marked this version as reviewed. */
  reviewed?: boolean | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const ChangesetFileSchema = object<ChangesetFile>('ChangesetFile', {
  id: Type.String(),
  edit: FileEditSchema,
  reviewed: optional(Type.Boolean()),
  _meta: optional(freeForm()),
});

/** Something that a host can do with a changeset, such as to revert or to commit it. */
export interface ChangesetOperation {
  /** What `invokeChangesetOperation` calls it. */
  id: string;
  /** The text of its button. */
  label: string;
  /** What it does, in a sentence. */
  description?: string | undefined;
  /** What it can be applied to: everything, a file, or lines. */
  scopes: ChangesetOperationScope[];
  /** What to ask the user first, if it cannot be taken back easily. */
  confirmation?: StringOrMarkdown | undefined;
  /** The name of an icon. */
  icon?: string | undefined;
  /** Operations of the same group belong side by side. */
  group?: string | undefined;
  /** Whether it can be used now, or is at work. */
  status: ChangesetOperationStatus;
  /** Why it failed the last time. */
  error?: ErrorInfo | undefined;
}

export const ChangesetOperationSchema = object<ChangesetOperation>('ChangesetOperation', {
  id: Type.String(),
  label: Type.String(),
  description: optional(Type.String()),
  scopes: Type.Array(ChangesetOperationScopeSchema),
  confirmation: optional(StringOrMarkdownSchema),
  icon: optional(Type.String()),
  group: optional(Type.String()),
  status: ChangesetOperationStatusSchema,
  error: optional(ErrorInfoSchema),
});

/** The state of a changeset: files with their edits, and what can be done with them. */
export interface ChangesetState {
  /** Whether all of it is there, or is still being computed. */
  status: ChangesetStatus;
  /** Why it could not be computed. */
  error?: ErrorInfo | undefined;
  /** The changed files. */
  files: ChangesetFile[];
  /** What can be done with the changes. */
  operations?: ChangesetOperation[] | undefined;
}

export const ChangesetStateSchema = object<ChangesetState>('ChangesetState', {
  status: ChangesetStatusSchema,
  error: optional(ErrorInfoSchema),
  files: Type.Array(ChangesetFileSchema),
  operations: optional(Type.Array(ChangesetOperationSchema)),
});

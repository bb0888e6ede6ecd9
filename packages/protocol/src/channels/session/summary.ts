import Type, { type Static } from 'typebox';
import { named, optional } from '../../common/schema.js';
import { AgentSelectionSchema, ModelSelectionSchema } from '../../common/selection.js';
import { SessionStatusSchema } from '../../common/status.js';
import { URISchema } from '../../common/uri.js';
import { AnnotationsSummarySchema } from '../annotations/state.js';

export const ProjectInfoSchema = named(
  'ProjectInfo',
  Type.Object({
    uri: URISchema,
    displayName: Type.String(),
  }),
);
export type ProjectInfo = Static<typeof ProjectInfoSchema>;

export const ChangesSummarySchema = named(
  'ChangesSummary',
  Type.Object({
    additions: optional(Type.Integer()),
    deletions: optional(Type.Integer()),
    files: optional(Type.Integer()),
  }),
);
export type ChangesSummary = Static<typeof ChangesSummarySchema>;

export const SessionSummarySchema = named(
  'SessionSummary',
  Type.Object({
    resource: URISchema,
    provider: Type.String(),
    title: Type.String(),
    status: SessionStatusSchema,
    activity: optional(Type.String()),
    createdAt: Type.Integer(),
    modifiedAt: Type.Integer(),
    project: optional(ProjectInfoSchema),
    model: optional(ModelSelectionSchema),
    agent: optional(AgentSelectionSchema),
    workingDirectory: optional(URISchema),
    changes: optional(ChangesSummarySchema),
    annotations: optional(AnnotationsSummarySchema),
  }),
);
/** A session as lists show it. Times are milliseconds. */
export type SessionSummary = Static<typeof SessionSummarySchema>;

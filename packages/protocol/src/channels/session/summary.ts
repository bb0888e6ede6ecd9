import type { Static } from 'typebox';
import { ChangesSummarySchema } from '../../common/changes-summary.js';
import { freeForm, named, optional } from '../../common/schema.js';
import { SessionStatusSchema } from '../../common/status.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';
import { AnnotationsSummarySchema } from '../annotations/state.js';
import { ChatInteractivitySchema, ChatOriginSchema } from '../chat/state.js';

export const ProjectInfoSchema = named(
  'ProjectInfo',
  Type.Object({
    uri: URISchema,
    displayName: Type.String(),
  }),
);
export type ProjectInfo = Static<typeof ProjectInfoSchema>;

export const SessionMetadataSchema = named(
  'SessionMetadata',
  Type.Object({
    provider: Type.String(),
    title: Type.String(),
    status: SessionStatusSchema,
    activity: optional(Type.String()),
    project: optional(ProjectInfoSchema),
    workingDirectories: optional(Type.Array(URISchema)),
    annotations: optional(AnnotationsSummarySchema),
  }),
);
/** What the state of a session and its entry in lists have in common. */
export type SessionMetadata = Static<typeof SessionMetadataSchema>;

export const SessionChatSummarySchema = named(
  'SessionChatSummary',
  Type.Object({
    resource: URISchema,
    title: Type.String(),
    origin: optional(ChatOriginSchema),
    interactivity: optional(ChatInteractivitySchema),
    status: optional(SessionStatusSchema),
    changes: optional(ChangesSummarySchema),
  }),
);
/** A chat as lists of sessions show it. */
export type SessionChatSummary = Static<typeof SessionChatSummarySchema>;

export const SessionSummarySchema = named(
  'SessionSummary',
  Type.Object({
    ...SessionMetadataSchema.properties,
    resource: URISchema,
    createdAt: Type.String(),
    modifiedAt: Type.String(),
    changes: optional(ChangesSummarySchema),
    chats: optional(Type.Array(SessionChatSummarySchema)),
    defaultChat: optional(URISchema),
    _meta: optional(freeForm()),
  }),
);
/** A session as lists show it. Times are ISO strings. */
export type SessionSummary = Static<typeof SessionSummarySchema>;

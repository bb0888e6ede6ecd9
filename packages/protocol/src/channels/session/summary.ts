import { type ChangesSummary, ChangesSummarySchema } from '../../common/changes-summary.js';
import { freeForm, object, optional } from '../../common/schema.js';
import { type SessionStatus, SessionStatusSchema } from '../../common/status.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type AnnotationsSummary, AnnotationsSummarySchema } from '../annotations/state.js';
import { type ChatInteractivity, ChatInteractivitySchema, type ChatOrigin, ChatOriginSchema } from '../chat/state.js';

export interface ProjectInfo {
  uri: URI;
  displayName: string;
}

export const ProjectInfoSchema = object<ProjectInfo>('ProjectInfo', {
  uri: URISchema,
  displayName: Type.String(),
});

/** What the state of a session and its entry in lists have in common. */
export interface SessionMetadata {
  provider: string;
  title: string;
  status: SessionStatus;
  activity?: string | undefined;
  project?: ProjectInfo | undefined;
  workingDirectories?: URI[] | undefined;
  annotations?: AnnotationsSummary | undefined;
}

export const SessionMetadataSchema = object<SessionMetadata>('SessionMetadata', {
  provider: Type.String(),
  title: Type.String(),
  status: SessionStatusSchema,
  activity: optional(Type.String()),
  project: optional(ProjectInfoSchema),
  workingDirectories: optional(Type.Array(URISchema)),
  annotations: optional(AnnotationsSummarySchema),
});

/** A chat as lists of sessions show it. */
export interface SessionChatSummary {
  resource: URI;
  title: string;
  origin?: ChatOrigin | undefined;
  interactivity?: ChatInteractivity | undefined;
  status?: SessionStatus | undefined;
  changes?: ChangesSummary | undefined;
}

export const SessionChatSummarySchema = object<SessionChatSummary>('SessionChatSummary', {
  resource: URISchema,
  title: Type.String(),
  origin: optional(ChatOriginSchema),
  interactivity: optional(ChatInteractivitySchema),
  status: optional(SessionStatusSchema),
  changes: optional(ChangesSummarySchema),
});

/** A session as lists show it. Times are ISO strings. */
export interface SessionSummary extends SessionMetadata {
  resource: URI;
  createdAt: string;
  modifiedAt: string;
  changes?: ChangesSummary | undefined;
  chats?: SessionChatSummary[] | undefined;
  defaultChat?: URI | undefined;
  _meta?: Record<string, unknown> | undefined;
}

export const SessionSummarySchema = object<SessionSummary>('SessionSummary', {
  ...SessionMetadataSchema.properties,
  resource: URISchema,
  createdAt: Type.String(),
  modifiedAt: Type.String(),
  changes: optional(ChangesSummarySchema),
  chats: optional(Type.Array(SessionChatSummarySchema)),
  defaultChat: optional(URISchema),
  _meta: optional(freeForm()),
});

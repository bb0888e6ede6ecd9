import { type ChangesSummary, ChangesSummarySchema } from '../../common/changes-summary.js';
import { freeForm, object, optional } from '../../common/schema.js';
import { type SessionStatus, SessionStatusSchema } from '../../common/status.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type AnnotationsSummary, AnnotationsSummarySchema } from '../annotations/state.js';
import { type ChatInteractivity, ChatInteractivitySchema, type ChatOrigin, ChatOriginSchema } from '../chat/state.js';

export interface ProjectInfo {
  /** The folder of the project. */
  uri: URI;
  /** The name for people. */
  displayName: string;
}

export const ProjectInfoSchema = object<ProjectInfo>('ProjectInfo', {
  uri: URISchema,
  displayName: Type.String(),
});

/** What the state of a session and its entry in lists have in common. */
export interface SessionMetadata {
  /** The id of the agent, as in `AgentInfo.provider`. */
  provider: string;
  /** Its name; may be empty. */
  title: string;
  /** What it does, and whether it was read; bits, see `readStatus` of the client. */
  status: SessionStatus;
  /** What it is doing, or why it failed, in a few words. */
  activity?: string | undefined;
  /** The project that its folder belongs to. */
  project?: ProjectInfo | undefined;
  /** The folders it works in, the main one first. */
  workingDirectories?: URI[] | undefined;
  /** How many annotations it has. */
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
  /** The URI of the chat. */
  resource: URI;
  /** Its name; may be empty. */
  title: string;
  /** How it came about. */
  origin?: ChatOrigin | undefined;
  /** Whether users may write to it; without it, they may. */
  interactivity?: ChatInteractivity | undefined;
  /** What it does, and whether it was read. */
  status?: SessionStatus | undefined;
  /** How much it changed. */
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
  /** The URI of the session. */
  resource: URI;
  /** When it was made, as an ISO time. */
  createdAt: string;
  /** When something last happened in it, as an ISO time. */
  modifiedAt: string;
  /** How much it changed. */
  changes?: ChangesSummary | undefined;
  /** Its chats. */
  chats?: SessionChatSummary[] | undefined;
  /** The chat to show first. */
  defaultChat?: URI | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
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

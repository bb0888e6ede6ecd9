import { type ErrorInfo, ErrorInfoSchema } from '../../common/error-info.js';
import { type EnumValue, enumSchema, freeForm, object, optional } from '../../common/schema.js';
import { type ToolDefinition, ToolDefinitionSchema } from '../../common/tool-definition.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type Changeset, ChangesetSchema } from '../changeset/state.js';
import { type ChatSummary, ChatSummarySchema } from '../chat/state.js';
import { type SessionActiveClient, SessionActiveClientSchema } from './active-client.js';
import { type SessionConfigState, SessionConfigStateSchema } from './config.js';
import { type Customization, CustomizationSchema } from './customization.js';
import { type SessionInputRequest, SessionInputRequestSchema } from './input-needed.js';
import { type SessionMetadata, SessionMetadataSchema } from './summary.js';

/** Whether a session can be used yet. */
export const SessionLifecycle = {
  Creating: 'creating',
  Ready: 'ready',
  Failed: 'failed',
} as const;
export type SessionLifecycle = EnumValue<typeof SessionLifecycle>;
export const SessionLifecycleSchema = enumSchema('SessionLifecycle', SessionLifecycle);

/** The state of a session: what all of its chats share, and the list of them. */
export interface SessionState extends SessionMetadata {
  /** Whether it is being made, is ready, or could not be made. */
  lifecycle: SessionLifecycle;
  /** Why it could not be made. */
  creationError?: ErrorInfo | undefined;
  /** Tools that the host gives the agent. */
  serverTools?: ToolDefinition[] | undefined;
  /** Clients that give the agent tools and plugins. */
  activeClients: SessionActiveClient[];
  /** Its chats. */
  chats: ChatSummary[];
  /** The chat to show first. */
  defaultChat?: URI | undefined;
  /** Its settings. */
  config?: SessionConfigState | undefined;
  /** MCP servers, plugins, rules, skills, prompts and custom agents. */
  customizations?: Customization[] | undefined;
  /** Views of what was changed. */
  changesets?: Changeset[] | undefined;
  /** What waits for a user, in any of its chats. */
  inputNeeded?: SessionInputRequest[] | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const SessionStateSchema = object<SessionState>('SessionState', {
  ...SessionMetadataSchema.properties,
  lifecycle: SessionLifecycleSchema,
  creationError: optional(ErrorInfoSchema),
  serverTools: optional(Type.Array(ToolDefinitionSchema)),
  activeClients: Type.Array(SessionActiveClientSchema),
  chats: Type.Array(ChatSummarySchema),
  defaultChat: optional(URISchema),
  config: optional(SessionConfigStateSchema),
  customizations: optional(Type.Array(CustomizationSchema)),
  changesets: optional(Type.Array(ChangesetSchema)),
  inputNeeded: optional(Type.Array(SessionInputRequestSchema)),
  _meta: optional(freeForm()),
});

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
  lifecycle: SessionLifecycle;
  creationError?: ErrorInfo | undefined;
  serverTools?: ToolDefinition[] | undefined;
  activeClients: SessionActiveClient[];
  chats: ChatSummary[];
  defaultChat?: URI | undefined;
  config?: SessionConfigState | undefined;
  customizations?: Customization[] | undefined;
  changesets?: Changeset[] | undefined;
  inputNeeded?: SessionInputRequest[] | undefined;
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

import type { Static } from 'typebox';
import { ErrorInfoSchema } from '../../common/error-info.js';
import { type EnumValue, enumSchema, freeForm, named, optional } from '../../common/schema.js';
import { ToolDefinitionSchema } from '../../common/tool-definition.js';
import { Type } from '../../common/type.js';
import { URISchema } from '../../common/uri.js';
import { ChangesetSchema } from '../changeset/state.js';
import { ChatSummarySchema } from '../chat/state.js';
import { SessionActiveClientSchema } from './active-client.js';
import { SessionConfigStateSchema } from './config.js';
import { CustomizationSchema } from './customization.js';
import { SessionInputRequestSchema } from './input-needed.js';
import { SessionMetadataSchema } from './summary.js';

/** Whether a session can be used yet. */
export const SessionLifecycle = {
  Creating: 'creating',
  Ready: 'ready',
  Failed: 'failed',
} as const;
export type SessionLifecycle = EnumValue<typeof SessionLifecycle>;
export const SessionLifecycleSchema = enumSchema('SessionLifecycle', SessionLifecycle);

export const SessionStateSchema = named(
  'SessionState',
  Type.Object({
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
  }),
);
/** The state of a session: what all of its chats share, and the list of them. */
export type SessionState = Static<typeof SessionStateSchema>;

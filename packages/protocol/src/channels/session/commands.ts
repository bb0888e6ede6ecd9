import { freeForm, object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type SessionActiveClient, SessionActiveClientSchema } from './active-client.js';

export interface CreateSessionParams {
  /** The URI of the new session, chosen by the client. */
  channel: URI;
  /** The agent; without it, the host chooses one. */
  provider?: string | undefined;
  /** The folders it works in, the main one first. */
  workingDirectories?: URI[] | undefined;
  /** Values of settings, by name. */
  config?: Record<string, unknown> | undefined;
  /** The client that gives the agent tools and plugins. */
  activeClient?: SessionActiveClient | undefined;
  /** What progress notifications name it by. */
  progressToken?: string | undefined;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const CreateSessionParamsSchema = object<CreateSessionParams>('CreateSessionParams', {
  channel: URISchema,
  provider: optional(Type.String()),
  workingDirectories: optional(Type.Array(URISchema)),
  config: optional(freeForm()),
  activeClient: optional(SessionActiveClientSchema),
  progressToken: optional(Type.String()),
  _meta: optional(freeForm()),
});

export interface DisposeSessionParams {
  /** The channel that it is about. */
  channel: URI;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const DisposeSessionParamsSchema = object<DisposeSessionParams>('DisposeSessionParams', {
  channel: URISchema,
  _meta: optional(freeForm()),
});

import { freeForm, object, optional } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type URI, URISchema } from '../../common/uri.js';
import { type SessionActiveClient, SessionActiveClientSchema } from './active-client.js';

export interface CreateSessionParams {
  channel: URI;
  provider?: string | undefined;
  workingDirectories?: URI[] | undefined;
  config?: Record<string, unknown> | undefined;
  activeClient?: SessionActiveClient | undefined;
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
  channel: URI;
  /** What programs add for each other. Members that nobody knows are kept. */
  _meta?: Record<string, unknown> | undefined;
}

export const DisposeSessionParamsSchema = object<DisposeSessionParams>('DisposeSessionParams', {
  channel: URISchema,
  _meta: optional(freeForm()),
});

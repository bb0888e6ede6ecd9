import Type, { type Static } from 'typebox';
import { freeForm, named, optional } from '../../common/schema.js';
import { AgentSelectionSchema, ModelSelectionSchema } from '../../common/selection.js';
import { URISchema } from '../../common/uri.js';
import { SessionActiveClientSchema } from './active-client.js';

export const SessionForkSourceSchema = named(
  'SessionForkSource',
  Type.Object({
    session: URISchema,
    turnId: Type.String(),
  }),
);
export type SessionForkSource = Static<typeof SessionForkSourceSchema>;

export const CreateSessionParamsSchema = named(
  'CreateSessionParams',
  Type.Object({
    channel: URISchema,
    provider: optional(Type.String()),
    model: optional(ModelSelectionSchema),
    agent: optional(AgentSelectionSchema),
    workingDirectory: optional(URISchema),
    fork: optional(SessionForkSourceSchema),
    config: optional(freeForm()),
    activeClient: optional(SessionActiveClientSchema),
  }),
);
export type CreateSessionParams = Static<typeof CreateSessionParamsSchema>;

export const DisposeSessionParamsSchema = named(
  'DisposeSessionParams',
  Type.Object({
    channel: URISchema,
  }),
);
export type DisposeSessionParams = Static<typeof DisposeSessionParamsSchema>;

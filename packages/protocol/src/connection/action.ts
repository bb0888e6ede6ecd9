import type { Static } from 'typebox';
import { StateActionSchema } from '../channels/state-action.js';
import { named, optional } from '../common/schema.js';
import { Type } from '../common/type.js';
import { URISchema } from '../common/uri.js';

export const ActionOriginSchema = named(
  'ActionOrigin',
  Type.Object({
    clientId: Type.String(),
    clientSeq: Type.Integer(),
  }),
);
/** The dispatch that an action answers: clients recognize their own by it. */
export type ActionOrigin = Static<typeof ActionOriginSchema>;

export const ActionEnvelopeSchema = named(
  'ActionEnvelope',
  Type.Object({
    channel: URISchema,
    action: StateActionSchema,
    serverSeq: Type.Integer(),
    origin: optional(ActionOriginSchema),
    rejectionReason: optional(Type.String()),
  }),
);
/** An action as the host sends it: on which channel, with its number, and from whom. */
export type ActionEnvelope = Static<typeof ActionEnvelopeSchema>;

export const DispatchActionParamsSchema = named(
  'DispatchActionParams',
  Type.Object({
    channel: URISchema,
    clientSeq: Type.Integer(),
    action: StateActionSchema,
  }),
);
/** An action as a client sends it. */
export type DispatchActionParams = Static<typeof DispatchActionParamsSchema>;

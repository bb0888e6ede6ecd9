import { type StateAction, StateActionSchema } from '../channels/state-action.js';
import { object, optional } from '../common/schema.js';
import { Type } from '../common/type.js';
import { type URI, URISchema } from '../common/uri.js';

/** The dispatch that an action answers: clients recognize their own by it. */
export interface ActionOrigin {
  clientId: string;
  clientSeq: number;
}

export const ActionOriginSchema = object<ActionOrigin>('ActionOrigin', {
  clientId: Type.String(),
  clientSeq: Type.Integer(),
});

/** An action as the host sends it: on which channel, with its number, and from whom. */
export interface ActionEnvelope {
  channel: URI;
  action: StateAction;
  serverSeq: number;
  origin?: ActionOrigin | undefined;
  rejectionReason?: string | undefined;
}

export const ActionEnvelopeSchema = object<ActionEnvelope>('ActionEnvelope', {
  channel: URISchema,
  action: StateActionSchema,
  serverSeq: Type.Integer(),
  origin: optional(ActionOriginSchema),
  rejectionReason: optional(Type.String()),
});

/** An action as a client sends it. */
export interface DispatchActionParams {
  channel: URI;
  clientSeq: number;
  action: StateAction;
}

export const DispatchActionParamsSchema = object<DispatchActionParams>('DispatchActionParams', {
  channel: URISchema,
  clientSeq: Type.Integer(),
  action: StateActionSchema,
});

import { type StateAction, StateActionSchema } from '../channels/state-action.js';
import { object, optional } from '../common/schema.js';
import { Type } from '../common/type.js';
import { type URI, URISchema } from '../common/uri.js';

/** The dispatch that an action answers: clients recognize their own by it. */
export interface ActionOrigin {
  /** The client that sent it. */
  clientId: string;
  /** The client's own number of the action; it rises. */
  clientSeq: number;
}

export const ActionOriginSchema = object<ActionOrigin>('ActionOrigin', {
  clientId: Type.String(),
  clientSeq: Type.Integer(),
});

/** An action as the host sends it: on which channel, with its number, and from whom. */
export interface ActionEnvelope {
  /** The channel that it is about. */
  channel: URI;
  /** What changes the channel. */
  action: StateAction;
  /** The host's number of the action; it rises over all channels. */
  serverSeq: number;
  /** Who sent it; without it, the host itself. */
  origin?: ActionOrigin | undefined;
  /** Why the host refused it; then it changes nothing. */
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
  /** The channel that it is about. */
  channel: URI;
  /** The client's own number of the action; it rises. */
  clientSeq: number;
  /** What is to change the channel. */
  action: StateAction;
}

export const DispatchActionParamsSchema = object<DispatchActionParams>('DispatchActionParams', {
  channel: URISchema,
  clientSeq: Type.Integer(),
  action: StateActionSchema,
});

import type { Static } from 'typebox';
import { JsonPrimitiveSchema } from './json-primitive.js';
import { named, optional } from './schema.js';
import { Type } from './type.js';
import { URISchema } from './uri.js';

export const ModelSelectionSchema = named(
  'ModelSelection',
  Type.Object({
    id: Type.String(),
    config: optional(Type.Record(Type.String(), JsonPrimitiveSchema)),
  }),
);
/** A model with the settings chosen for it. */
export type ModelSelection = Static<typeof ModelSelectionSchema>;

export const AgentSelectionSchema = named(
  'AgentSelection',
  Type.Object({
    uri: URISchema,
  }),
);
/** A custom agent, by the URI of its file. */
export type AgentSelection = Static<typeof AgentSelectionSchema>;

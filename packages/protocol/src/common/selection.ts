import Type, { type Static } from 'typebox';
import { named, optional } from './schema.js';
import { URISchema } from './uri.js';

export const ModelSelectionSchema = named(
  'ModelSelection',
  Type.Object({
    id: Type.String(),
    config: optional(Type.Record(Type.String(), Type.String())),
  }),
);
export type ModelSelection = Static<typeof ModelSelectionSchema>;

export const AgentSelectionSchema = named(
  'AgentSelection',
  Type.Object({
    uri: URISchema,
  }),
);
export type AgentSelection = Static<typeof AgentSelectionSchema>;

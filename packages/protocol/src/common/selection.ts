import { type JsonPrimitive, JsonPrimitiveSchema } from './json-primitive.js';
import { object, optional } from './schema.js';
import { Type } from './type.js';
import { type URI, URISchema } from './uri.js';

/** A model with the settings chosen for it. */
export interface ModelSelection {
  /** The id of the model. */
  id: string;
  /** Values of the model's own settings. */
  config?: Record<string, JsonPrimitive> | undefined;
}

export const ModelSelectionSchema = object<ModelSelection>('ModelSelection', {
  id: Type.String(),
  config: optional(Type.Record(JsonPrimitiveSchema)),
});

/** A custom agent, by the URI of its file. */
export interface AgentSelection {
  /** The custom agent, as the session's customizations name it. */
  uri: URI;
}

export const AgentSelectionSchema = object<AgentSelection>('AgentSelection', {
  uri: URISchema,
});

import type { Static } from 'typebox';
import { named } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { ResourceChangeSchema } from './state.js';

export const ResourceWatchChangedActionSchema = named(
  'ResourceWatchChangedAction',
  Type.Object({
    type: Type.Literal('resourceWatch/changed'),
    changes: Type.Object({ items: Type.Array(ResourceChangeSchema) }),
  }),
);
export type ResourceWatchChangedAction = Static<typeof ResourceWatchChangedActionSchema>;

import { object } from '../../common/schema.js';
import { Type } from '../../common/type.js';
import { type ResourceChange, ResourceChangeSchema } from './state.js';

export interface ResourceWatchChangedAction {
  type: 'resourceWatch/changed';
  /** What has changed since the last one. */
  changes: { items: ResourceChange[] };
}

export const ResourceWatchChangedActionSchema = object<ResourceWatchChangedAction>('ResourceWatchChangedAction', {
  type: Type.Literal('resourceWatch/changed'),
  changes: Type.Object({ items: Type.Array(ResourceChangeSchema) }),
});

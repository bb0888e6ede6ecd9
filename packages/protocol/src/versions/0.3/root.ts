import { withoutAdditionalProperties } from '../shared/config-schema.js';
import { mapMember, mapObject, mapObjects, type WireObject, without } from '../shared/wire.js';
import { withCustomizations } from './customization.js';

export function rootState(later: WireObject): WireObject {
  const state = mapMember(without(later, '_meta'), 'agents', (agents) => mapObjects(agents, agentInfo));
  return mapObject(state, 'config', (config) => mapObject(config, 'schema', withoutAdditionalProperties));
}

export function agentInfo(later: WireObject): WireObject {
  return mapMember(withCustomizations(later), 'models', (models) =>
    mapObjects(models, (model) => mapObject(model, 'configSchema', withoutAdditionalProperties)),
  );
}

import type { AgentInfo, RootState } from '../../channels/root/state.js';
import { withoutAdditionalProperties } from '../shared/config-schema.js';
import { asObject, mapMember, type WireObject, without } from '../shared/wire.js';

export function rootState(native: RootState): WireObject {
  const { agents, config } = native;
  return {
    ...without(native, '_meta'),
    agents: agents.map(agentInfo),
    ...(config && { config: { ...config, schema: withoutAdditionalProperties(config.schema) } }),
  };
}

export function agentInfo(native: AgentInfo): WireObject {
  const models = native.models.map((model) =>
    mapMember(model, 'configSchema', (schema) => withoutAdditionalProperties(asObject(schema))),
  );
  return { ...native, models };
}

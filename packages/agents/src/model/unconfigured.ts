import { AgentError, type AgentProvider } from '@moorage/host/ports';
import { ExtensionMeta } from '@moorage/protocol';

const HOW =
  'No model is configured. Add one under "agents" in the file given with --config, such as "model": { "type": "model", "api": "openai", "baseURL": "http://127.0.0.1:11434/v1", "models": ["qwen3"] }, and start the host again.';

/** A placeholder for the model agent that says how to configure it. */
export function unconfiguredModelAgent(): AgentProvider {
  return {
    info: {
      provider: 'model',
      displayName: 'Model',
      description: HOW,
      models: [],
      _meta: { [ExtensionMeta.agentState]: 'not configured' },
    },
    openChat: () => Promise.reject(new AgentError('modelNotConfigured', HOW)),
    dispose: async () => {},
  };
}

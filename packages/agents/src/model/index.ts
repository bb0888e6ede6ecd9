import type { AgentProvider } from '@moorage/host/ports';
import type { ModelAgentOptions } from './options.js';
import { ModelProvider } from './provider.js';

export type { ModelAgentOptions, ModelApi } from './options.js';
export { type FoundModelServer, unconfiguredModelAgent } from './unconfigured.js';

/** The built-in agent: a model at an endpoint, with tools that work through the host. */
export function modelAgent(options: ModelAgentOptions): AgentProvider {
  return new ModelProvider(options);
}

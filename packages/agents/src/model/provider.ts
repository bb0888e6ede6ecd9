import {
  type AgentChat,
  type AgentChatOptions,
  AgentError,
  type AgentProvider,
  type McpSampling,
} from '@moorage/host/ports';
import type { AgentInfo } from '@moorage/protocol';
import { metadataOf } from '../protected-resource.js';
import { Grants } from './approval/grants.js';
import { GrantsFile } from './approval/grants-file.js';
import { type ModelAgentOptions, modelOf } from './options.js';

export class ModelProvider implements AgentProvider {
  readonly info: AgentInfo;
  readonly resumesTurns = true;
  readonly takesSeveralFolders = true;
  readonly invokesCustomizations = true;
  readonly #options: ModelAgentOptions;
  readonly #grants: Grants;
  #isDisposed = false;

  constructor(options: ModelAgentOptions) {
    this.#options = options;
    this.info = infoOf(options);
    const { grantsFile, log } = options;
    this.#grants = new Grants(grantsFile === undefined ? undefined : new GrantsFile(grantsFile, log));
  }

  async openChat(chat: AgentChatOptions): Promise<AgentChat> {
    if (this.#isDisposed) throw new AgentError('agentDisposed', 'The model agent has been shut down.');
    // Only now: the SDK is large, and most starts of a host do not need it.
    const { ModelChat } = await import('./chat.js');
    return ModelChat.open(this.#options, chat, this.#grants);
  }

  async sample(request: McpSampling, { model, signal }: Parameters<NonNullable<AgentProvider['sample']>>[1]) {
    const { sample } = await import('./endpoint/sample.js');
    return sample(this.#options, modelOf(this.#options, model), request, signal);
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
  }
}

function infoOf({ id, displayName, models, baseURL, contextWindow, auth }: ModelAgentOptions): AgentInfo {
  const where = URL.canParse(baseURL) ? new URL(baseURL).host : baseURL;
  return {
    provider: id,
    displayName: displayName ?? id,
    description: `The built-in agent on a model at ${where}: reads, edits and runs in your workspace, and asks before it changes anything.`,
    models: models.map((model) => ({
      id: model,
      provider: id,
      name: model,
      ...(contextWindow !== undefined && { maxContextWindow: contextWindow }),
    })),
    ...(auth && { protectedResources: [metadataOf(auth)] }),
  };
}

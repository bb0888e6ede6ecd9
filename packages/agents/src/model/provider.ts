import {
  type AgentChat,
  type AgentChatOptions,
  AgentError,
  type AgentProvider,
  type McpSampling,
} from '@moorage/host/ports';
import { type AgentInfo, ExtensionMeta } from '@moorage/protocol';
import { metadataOf } from '../protected-resource.js';
import { Grants } from './approval/grants.js';
import { GrantsFile } from './approval/grants-file.js';
import { OfferedModels } from './endpoint/offered-models.js';
import type { ModelAgentOptions } from './options.js';

export class ModelProvider implements AgentProvider {
  readonly resumesTurns = true;
  readonly takesSeveralFolders = true;
  /** It runs commands in terminals of the host, and changes files through the host. */
  readonly isConfinable = true;
  readonly invokesCustomizations = true;
  /** Only its tools change files, and they wait for it. */
  readonly awaitsGoAhead = true;
  readonly #options: ModelAgentOptions;
  readonly #grants: Grants;
  readonly #offered: OfferedModels;
  readonly #listeners: (() => void)[] = [];
  #isDisposed = false;

  constructor(options: ModelAgentOptions) {
    this.#options = options;
    this.#offered = new OfferedModels(options, () => {
      for (const listener of this.#listeners) listener();
    });
    const { grantsFile, log } = options;
    this.#grants = new Grants(grantsFile === undefined ? undefined : new GrantsFile(grantsFile, log));
  }

  get info(): AgentInfo {
    return infoOf(this.#options, this.#offered);
  }

  onInfoChanged(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Loads what chats need, for some protocols an SDK. If it fails, so will `openChat`, and says why. */
  prepare(): void {
    void import('./chat.js').then(({ ModelChat }) => ModelChat.load(this.#options.api)).catch(() => {});
  }

  async openChat(chat: AgentChatOptions): Promise<AgentChat> {
    if (this.#isDisposed) throw new AgentError('agentDisposed', 'The model agent has been shut down.');
    // Only now: most starts of a host do not need it.
    const { ModelChat } = await import('./chat.js');
    await this.#offered.ready();
    return ModelChat.open(this.#options, this.#offered, chat, this.#grants);
  }

  async sample(request: McpSampling, { model, signal }: Parameters<NonNullable<AgentProvider['sample']>>[1]) {
    const { sample } = await import('./endpoint/sample.js');
    return sample(this.#options, this.#offered.choose(model), request, signal);
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#offered.stop();
  }
}

function infoOf({ id, displayName, baseURL, auth }: ModelAgentOptions, offered: OfferedModels): AgentInfo {
  const where = URL.canParse(baseURL) ? new URL(baseURL).host : baseURL;
  const does = `The built-in agent on a model at ${where}: reads, edits and runs in your workspace, and asks before it changes anything.`;
  const { names, missing, problem } = offered;
  const isUsable = missing.length === 0 || missing.length < names.length;
  return {
    provider: id,
    displayName: displayName ?? id,
    description: problem === undefined ? does : `${problem} ${does}`,
    models: names.map((model) => {
      const contextWindow = offered.windowOf(model);
      const limit = contextWindow === undefined ? {} : { maxContextWindow: contextWindow };
      return { id: model, provider: id, name: model, ...limit };
    }),
    ...(auth && { protectedResources: [metadataOf(auth)] }),
    ...(!isUsable && { _meta: { [ExtensionMeta.agentState]: 'cannot be used' } }),
  };
}

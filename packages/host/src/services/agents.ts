import { type AgentInfo, AhpErrorCodes, type ProtectedResourceMetadata, RpcError } from '@moorage/protocol';
import type { AgentProvider } from '../ports/agent.js';

/** The host's agents, by provider id. */
export class AgentRegistry {
  readonly #providers: ReadonlyMap<string, AgentProvider>;

  constructor(providers: readonly AgentProvider[]) {
    this.#providers = new Map(providers.map((provider) => [provider.info.provider, provider]));
  }

  get(id: string): AgentProvider | undefined {
    return this.#providers.get(id);
  }

  /** The agent of a session created without a provider (OQ-32). */
  get first(): AgentProvider | undefined {
    return this.#offered[0];
  }

  /** The agent with this id, or the first one without an id. Throws -32002 for an unknown id. */
  named(id: string | undefined): AgentProvider {
    const provider = id === undefined ? this.first : this.get(id);
    if (provider && provider.isOffered !== false) return provider;
    const known = this.infos.map((info) => info.provider).join(', ') || 'none';
    throw new RpcError(AhpErrorCodes.ProviderNotFound, `there is no agent "${id ?? ''}"; this host has: ${known}`);
  }

  /** As clients are told of them: with what the host can do with every agent. Without it they must not ask for chats. */
  get infos(): AgentInfo[] {
    return this.#offered.map(({ info, takesSeveralFolders }) => ({
      ...info,
      capabilities: {
        multipleChats: { fork: true },
        ...(takesSeveralFolders && { multipleWorkingDirectories: { immutablePrimary: true } }),
        ...info.capabilities,
      },
    }));
  }

  /** What clients authenticate for, for this agent; what does not say whether it is required is (B-306). */
  protectedResources(provider: string): readonly ProtectedResourceMetadata[] {
    return this.get(provider)?.info.protectedResources ?? [];
  }

  get #offered(): AgentProvider[] {
    return [...this.#providers.values()].filter(({ isOffered }) => isOffered !== false);
  }

  onInfoChanged(listener: () => void): void {
    for (const provider of this.#providers.values()) provider.onInfoChanged?.(listener);
  }

  async dispose(): Promise<void> {
    await Promise.allSettled([...this.#providers.values()].map((provider) => provider.dispose()));
  }
}
